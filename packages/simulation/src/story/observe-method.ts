/** Observes every call of one method of one object before it is carried out. */
export function spy<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  heard: Target[Name] extends (...args: infer Args) => unknown ? (...args: Args) => void : never,
): void {
  const method = target[name] as unknown as (...args: unknown[]) => unknown;
  const listener = heard as unknown as (...args: unknown[]) => void;
  const heardFirst = (...args: unknown[]) => {
    listener(...args);
    return method.apply(target, args);
  };
  target[name] = heardFirst as unknown as Target[Name];
}
