"use client";
import { type FieldForm, FormField } from "@stashlight/ui/field-form";
import { Checklist } from "@stashlight/ui/fields";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import { labelsFor, measuresFor, measureWords, type ruleFields, unitFor, withMetric } from "./rule-form.ts";

interface FieldsProps {
  form: FieldForm<typeof ruleFields.specs>;
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="grid items-start gap-4 empty:hidden sm:grid-cols-2">{children}</div>
);

/** Fields of the rule's query to the metric store. */
export function QueryFields({ form }: FieldsProps) {
  const { typed, change } = form;
  return (
    <>
      <Row>
        <FormField form={form} name="name" />
        <FormField form={form} name="description" />
      </Row>
      <FormField form={form} name="metric" onChange={(metric) => change(withMetric(typed, metric))} />
      <Row>
        <FormField form={form} name="where" />
        <Checklist
          legend="Watch separately by"
          options={labelsFor(typed.metric).map((value) => ({ value, label: value }))}
          chosen={typed.groupBy}
          onChange={(groupBy) => change({ groupBy })}
        />
      </Row>
    </>
  );
}

/** When the rule fires. */
export function ConditionFields({ form }: FieldsProps) {
  const { typed } = form;
  const isFull = typed.measure === "time-to-full";
  const measures = measuresFor(typed.metric).map((value) => ({ value, label: measureWords[value] }));
  return (
    <>
      <Row>
        <FormField form={form} name="measure" options={measures} />
        <FormField form={form} name="minutes" />
        <FormField
          form={form}
          name="other"
          label={isFull ? "Capacity" : "As a share of"}
          optional={!isFull}
        />
      </Row>
      {typed.measure !== "absence" && (
        <Row>
          <FormField form={form} name="comparison" />
          <FormField
            form={form}
            name="threshold"
            label={isFull ? "Less than" : "Threshold"}
            unit={unitFor(typed)}
          />
          <FormField form={form} name="windowSeconds" />
          <FormField form={form} name="sampleCountMin" />
          <FormField form={form} name="usualTimes" />
          <FormField form={form} name="usualFloor" unit={unitFor(typed)} />
        </Row>
      )}
      <Row>
        <FormField form={form} name="forSeconds" />
        <FormField form={form} name="keepFiringSeconds" />
      </Row>
    </>
  );
}

/** Severity of the rule, and the channels that it notifies. */
export function NoticeFields({ form }: FieldsProps) {
  const trpc = useTRPC();
  const channels = useQuery(trpc.channel.list.queryOptions());
  const { typed, change } = form;
  return (
    <>
      <Row>
        <FormField form={form} name="severity" />
        <FormField form={form} name="noData" disabled={typed.measure === "absence"} />
      </Row>
      <FormField form={form} name="remindMinutes" />
      {channels.data !== undefined && channels.data.length > 0 && (
        <Checklist
          legend="Channels"
          options={channels.data.map(({ id, name }) => ({ value: id, label: name }))}
          chosen={typed.channelIds}
          onChange={(channelIds) => change({ channelIds })}
          help="If none is chosen, the default channels are notified."
        />
      )}
    </>
  );
}
