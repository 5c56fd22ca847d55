import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";
import { CodeInput, PasswordInput, TextInput } from "./inputs.tsx";
import { Switch } from "./toggles.tsx";

/** Value of an attribute in the first element that has it. */
function attribute(html: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`).exec(html)?.[1];
}

describe("a field", () => {
  const html = renderToStaticMarkup(
    <Field label="E-mail" hint="We never send news." error="It needs an @.">
      <TextInput name="email" />
    </Field>,
  );

  test("labels its control with the field's label", () => {
    expect(attribute(html, "for")).toBe(/<input[^>]* id="([^"]+)"/.exec(html)?.[1]);
  });

  test("describes its control by the error first, then the hint, and marks it invalid", () => {
    const ids = attribute(html, "aria-describedby")?.split(" ") ?? [];
    const texts = ids.map((id) =>
      html
        .split(`id="${id}"`)[1]
        ?.replace(/<\/p>.*/s, "")
        .replace(/^.*>/s, ""),
    );
    expect(ids).toHaveLength(2);
    expect(html.split(`id="${ids[0]}"`)[1]).toContain("It needs an @.");
    expect(texts[1]).toBe("We never send news.");
    expect(attribute(html, "aria-invalid")).toBe("true");
  });

  test("without an error or hint, has no description and is not marked invalid", () => {
    const plain = renderToStaticMarkup(
      <Field label="Name">
        <TextInput />
      </Field>,
    );
    expect(plain).not.toMatch(/ aria-describedby=| aria-invalid=/);
  });
});

test("a button submits a form only if its type is submit, and stays focusable while pending", () => {
  expect(attribute(renderToStaticMarkup(<Button>Run now</Button>), "type")).toBe("button");
  const pending = renderToStaticMarkup(
    <Button type="submit" pending>
      Run now
    </Button>,
  );
  expect(attribute(pending, "type")).toBe("submit");
  expect(attribute(pending, "aria-busy")).toBe("true");
  expect(attribute(pending, "aria-disabled")).toBe("true");
  expect(pending).not.toMatch(/ disabled=/);
});

test("a one-time code is a single input that phones and password managers recognise", () => {
  const html = renderToStaticMarkup(<CodeInput value="123" />);
  expect(html.match(/<input/g)).toHaveLength(1);
  expect(attribute(html, "inputMode")).toBe("numeric");
  expect(attribute(html, "autoComplete")).toBe("one-time-code");
});

test("a password field hides its text, and has a named button that shows it", () => {
  const html = renderToStaticMarkup(<PasswordInput name="password" />);
  expect(attribute(html, "type")).toBe("password");
  expect(attribute(html, "aria-label")).toBe("Show password");
});

test("a switch is announced as a labelled switch", () => {
  const html = renderToStaticMarkup(<Switch label="Live" />);
  expect(attribute(html, "role")).toBe("switch");
  expect(attribute(html, "for")).toBe(attribute(html, "id"));
});
