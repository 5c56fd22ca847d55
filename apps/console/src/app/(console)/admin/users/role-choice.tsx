"use client";
import { type Role, roleDescriptions, roles } from "@stashlight/contracts/user";

interface RoleChoiceProps {
  value: Role;
  onChange: (role: Role) => void;
}

/** Lists each role with its rights, so that a role is not chosen by name alone. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-base font-medium text-ink">Role</legend>
      {roles.map((role) => (
        <label
          key={role}
          className="grid cursor-pointer grid-cols-[16px_1fr] gap-x-2.5 rounded-md border border-line px-3 py-2 hover:bg-hover has-checked:border-accent-ink has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name="role"
            value={role}
            checked={value === role}
            onChange={() => onChange(role)}
            className="mt-0.5 size-4 accent-accent"
          />
          <span>
            <span className="block font-medium text-ink capitalize">{role}</span>
            <span className="block text-base text-muted">{roleDescriptions[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
