/** One client for a worker to make and judge. */
export type ClientJob =
  | { readonly kind: "broken"; readonly id: string }
  | { readonly kind: "legal"; readonly id: string }
  | { readonly kind: "verdict"; readonly id: string };
