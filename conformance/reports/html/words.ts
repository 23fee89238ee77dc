const NUMBER = new Intl.NumberFormat("en");

/** A number as people read it: `1,316`. */
export function count(number: number): string {
  return NUMBER.format(number);
}

/** A number with the word for it: `1 test`, `1,316 tests`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}
