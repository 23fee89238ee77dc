/** Answers one odd value after the other, none of them an envelope. */
export const facts = { metadataHosts: ["a.example", "b.example"] };
const ODD = [
  undefined,
  null,
  5,
  "{}",
  [],
  {},
  { status: "200", body: {} },
  { status: 200, body: "{}" },
  { body: 1 },
];
export const createService = () => {
  let calls = 0;
  return { handle: () => ODD[calls++ % ODD.length] };
};
