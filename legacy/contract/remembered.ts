/** Longer texts come once, and are not remembered. */
const LONGEST = 1000;

/**
 * A function of a text that gives for a text what it gave for it before. What is given is shared: nobody may change it.
 * @param most texts that are remembered; then it begins anew, so that a process that runs for days does not grow
 */
export function remembered<Value>(most: number, make: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (text.length > LONGEST) return make(text);
    const earlier = known.get(text);
    if (earlier !== undefined || known.has(text)) return earlier as Value;
    const value = make(text);
    if (known.size >= most) known.clear();
    known.set(text, value);
    return value;
  };
}
