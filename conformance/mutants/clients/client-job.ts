/** One client for a worker to make and judge. */
export interface ClientJob {
  readonly kind: "broken" | "legal";
  readonly id: string;
  /** Whether a broken client is looked at for what its report begins with: see `judgeBrokenClient`. */
  readonly first: boolean;
}
