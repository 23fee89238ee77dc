/** One client for a worker to make and judge. */
export interface ClientJob {
  readonly kind: "broken" | "legal";
  readonly id: string;
  /** What a broken client is played: see `judgeBrokenClient`. */
  readonly extent: "all" | "naming";
}
