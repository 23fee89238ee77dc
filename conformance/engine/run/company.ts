/** The time of one vector on what carries its service, perhaps with those of others. */
export interface Stay {
  readonly carrier: object;
  /** Whether another vector was under way there meanwhile. */
  inCompany: boolean;
}

/** Knows which vectors were under way together on what carries their services. */
export class Company {
  readonly #stays = new Map<object, Set<Stay>>();

  /** A vector begins. */
  enter(carrier: object): Stay {
    const others = this.#stays.get(carrier) ?? new Set();
    this.#stays.set(carrier, others);
    const stay: Stay = { carrier, inCompany: others.size > 0 };
    for (const other of others) other.inCompany = true;
    others.add(stay);
    return stay;
  }

  /** A vector has come to its end. */
  leave(stay: Stay): void {
    this.#stays.get(stay.carrier)?.delete(stay);
  }
}
