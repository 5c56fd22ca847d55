const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const isNumber = (field: string) => /^\d+$/.test(field);
const parseStep = (field: string) => /^\*\/(\d+)$/.exec(field)?.[1];
const clock = (hour: string, minute: string) => `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;

/** Describes a common cron expression in words; null if the expression itself is clearer. */
export function describeCron(cron: string): string | null {
  const second = /^(\d+)( \*){5}$/.exec(cron)?.[1];
  if (second !== undefined) return `Every minute at second ${Number(second)}`;
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...more] = cron.trim().split(/\s+/);
  if (more.length > 0 || month !== "*") return null;
  if (day === "*" && weekday === "*" && hour === "*") return everyFewMinutes(minute);
  if (!isNumber(minute)) return null;
  const hourStep = parseStep(hour);
  if (day === "*" && weekday === "*" && hourStep)
    return `Every ${hourStep} hours${Number(minute) === 0 ? "" : ` at minute ${Number(minute)}`}`;
  if (!isNumber(hour)) return null;
  const at = clock(hour, minute);
  if (day === "*" && weekday === "*") return `Every day at ${at}`;
  if (day === "*" && weekday === "1-5") return `Monday to Friday at ${at}`;
  if (day === "*" && isNumber(weekday)) {
    const name = days[Number(weekday)];
    return name === undefined ? null : `Every ${name} at ${at}`;
  }
  if (isNumber(day) && weekday === "*") return `On day ${Number(day)} of every month at ${at}`;
  return null;
}

function everyFewMinutes(minute: string): string | null {
  if (minute === "*") return "Every minute";
  const step = parseStep(minute);
  if (step) return `Every ${step} minutes`;
  return isNumber(minute) ? `Every hour at minute ${Number(minute)}` : null;
}
