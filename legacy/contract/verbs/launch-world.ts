import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Waiver, World, WorldHost } from "../../engine/contract.ts";
import type { Exchange, StepPlace } from "../../engine/play/exchange.ts";
import { valueAt } from "../../engine/play/fill.ts";
import type { Judgement } from "../../engine/play/judgement.ts";
import { preparedStep } from "../../engine/play/request-kind.ts";
import { NotApplicable } from "../../engine/play/step-ends.ts";
import type { CustomStep, Fields, OperationStep, Template } from "../../engine/vectors/vector.ts";
import { isFrameworkAnswer } from "../judge/envelope.ts";
import { judgeExchange, QuickJudge } from "../judge/judge.ts";
import type { JudgeContext } from "../judge/judge-context.ts";
import { KnownDrafts } from "../judge/known-drafts.ts";
import { SessionCreators } from "../judge/session-creators.ts";
import type { KeyPair } from "../keys/key-pair.ts";
import { inOtherCase } from "../keys/odd-key.ts";
import { type ProofSpec, proofText } from "../keys/proof.ts";
import { isAnswered, OUTCOMES, ROUTES, type Store } from "../operations.ts";
import { DraftExpiries } from "../timekeeping/draft-expiries.ts";
import { LINGERS, mayLinger } from "../timekeeping/lingering.ts";
import { type Coming, crowd, type Flood, flood, useYoungest, type Youngest } from "./flood.ts";
import { Issued } from "./issued.ts";
import { lifetime } from "./lifetime.ts";
import { People } from "./people.ts";
import { challengeMembers, launchMembers, operationRequest, verifyMembers } from "./requests.ts";
import { messageText, signIn } from "./sign-in.ts";
import { Alive, Comers, Stored } from "./stored.ts";
import { NAME_FIELDS, type Verb, VOCABULARY } from "./vocabulary.ts";

/** This contract's side of a vector in play: who its people are, what they hold, and what the service has stored. */
export class LaunchWorld implements World {
  readonly host: WorldHost;
  readonly people: People;
  readonly stored: Stored;
  comers = new Comers();
  readonly #quickJudge = new QuickJudge();
  readonly #sessionCreators = new SessionCreators();
  readonly #expiries = new DraftExpiries();
  readonly #drafts = new KnownDrafts();
  /** For whom an exchange was made. */
  readonly #actors = new WeakMap<Exchange, string>();
  /** What the adapter said is signed for a message. */
  readonly #signed = new Map<string, Uint8Array>();
  #profile: Exchange["body"] | undefined;
  #issued = new Issued();
  /** What each store took last before it was full. */
  readonly #youngest = new Map<Store, Youngest>();
  readonly #flooded = new Set<Store>();
  /** Exchanges with earlier instances of the service. */
  #before = 0;
  /** Whether the vector fills a store at the moment, and whether it has: then it is about what a full one answers. */
  #filling = false;
  #filled = false;
  /** Whether a crowd has come. */
  #crowded = false;

  constructor(host: WorldHost) {
    this.host = host;
    this.people = new People(host);
    this.stored = new Stored(host);
  }

  /** The profile that this instance of the service gave first. */
  get profile(): Exchange["body"] | undefined {
    return this.#profile;
  }

  async perform(step: OperationStep, at: StepPlace): Promise<Exchange> {
    const { host, people } = this;
    let exchange: Exchange;
    if (step.verb === "session") exchange = await this.openSession(String(step.fields["for"]), at);
    else {
      // Most have all that they need, and there is nothing to wait for.
      if (this.#lacks(step)) await this.#provide(step, at);
      exchange = await host.exchange(this.#requestOf(step), at);
    }
    const actor = this.#actorOf(step);
    if (actor === undefined) return exchange;
    if (step.verb === "verify" && exchange.status === 200) people.keepBearer(actor, exchange.body["bearer"]);
    this.#actors.set(exchange, actor);
    return exchange;
  }

  async prepare(step: OperationStep, at: StepPlace): Promise<ServiceRequest> {
    if (this.#lacks(step)) await this.#provide(step, at);
    return this.#requestOf(step);
  }

  /** Whether a profile or a session has to be asked for before the request of a step can be made. */
  #lacks({ verb, fields }: OperationStep): boolean {
    if (verb === "build" && this.#lacksSession(fields)) return true;
    return this.#profile === undefined && verb !== "platform" && verb !== "request";
  }

  async #provide({ verb, fields }: OperationStep, at: StepPlace): Promise<void> {
    const prepared = preparing(at);
    if (verb !== "platform" && verb !== "request") await this.ensureProfile(prepared);
    if (verb === "build" && this.#lacksSession(fields))
      this.host.expectSuccess(await this.openSession(String(fields["by"]), prepared), prepared);
  }

  #requestOf(step: OperationStep): ServiceRequest {
    const verb = step.verb as Verb;
    const fields = this.#fill(step.fields);
    switch (verb) {
      case "challenge":
        return operationRequest(verb, this.#challengeMembers(String(fields["for"])), fields);
      case "verify":
        return this.#verifyRequest(fields);
      case "build":
        return this.#buildRequest(fields);
      default:
        return operationRequest(
          verb === "platform" ? verb : undefined,
          undefined,
          fields,
          this.#bearer(fields),
        );
    }
  }

  async play(step: CustomStep, at: StepPlace): Promise<Exchange | undefined> {
    if (step.verb === "lifetime") {
      lifetime(this.host, { of: String(step.value["of"]), open: step.open ?? "" }, at);
      return undefined;
    }
    await this.ensureProfile(at);
    const store = step.value["store"] as Store;
    if (step.verb === "youngest") {
      const youngest = this.#youngest.get(store);
      return youngest === undefined ? undefined : useYoungest(this, youngest, at);
    }
    const { host } = this;
    const filling = { store, rules: step.rules ?? host.rules };
    const coming = () => ({ ...filling, ...comingOf(step) });
    if (typeof step.value["by"] === "string") return crowd(this, coming(), at);
    // So many come that what decides on their answers is measured before.
    const { room: _ } = host;
    // A service that other vectors share may be full for their sake.
    const own = !host.realClock && host.info.capabilities.restart;
    this.#filling = own;
    host.sending = "floods";
    const last = await (step.verb === "crowd"
      ? crowd(this, coming(), at)
      : this.#flood({ ...filling, open: step.open ?? "", again: this.#flooded.has(store) }, at));
    this.#filling = false;
    this.#crowded ||= own;
    this.#filled ||= own && step.verb === "flood";
    return last;
  }

  /**
   * Whether what a full store answers is what the vector is about. A crowd may have met a bound that nobody stated: then a
   * service may say of a proof that there is no room before it looks at it.
   */
  #isAboutFull({ operation }: Exchange): boolean {
    return this.#filled || (this.#crowded && operation !== "verify");
  }

  async #flood(given: Flood, at: StepPlace): Promise<Exchange | undefined> {
    this.#flooded.add(given.store);
    const { last, youngest } = await flood(this, given, at);
    if (youngest !== undefined) this.#youngest.set(given.store, youngest);
    return last;
  }

  judge(exchange: Exchange): Judgement {
    const context = this.#judgeContext();
    // First of all, since it may have to wait for the clock probe: then the answer is judged anew.
    const expiries = this.#expiries.judge(exchange, context);
    const { mismatches, ...rest } = judgeExchange(exchange, context);
    const again = this.#issued.mismatches(exchange, () => this.stored.creatorOf(exchange));
    return { ...rest, mismatches: [...mismatches, ...again, ...expiries] };
  }

  judgeQuickly(exchange: Exchange): Judgement["mismatches"] {
    const context = this.#judgeContext();
    const mismatches = this.#quickJudge.mismatches(exchange, context);
    return [...mismatches, ...this.#expiries.judge(exchange, context)];
  }

  note(exchange: Exchange): void {
    if (exchange.status === 200 && exchange.operation === "platform") this.#profile ??= exchange.body;
    this.#sessionCreators.note(exchange);
    if (exchange.aside instanceof Uint8Array)
      this.#signed.set(messageText(exchange.body["message"]), exchange.aside);
    this.stored.note(exchange);
  }

  lookup(name: string, path: readonly string[]): Template | undefined {
    const { metadataHosts, operatorKey } = this.host.info.facts;
    switch (name) {
      case "hostA":
        return metadataHosts[0];
      case "hostB":
        return metadataHosts[1];
      case "operatorKey":
        return operatorKey ?? null;
      case "aliceInOtherCase":
        return inOtherCase(this.keyPair("alice").address);
      case "operatorKeyInOtherCase":
        return operatorKey === undefined ? null : inOtherCase(operatorKey);
      case "platform":
        return valueAt((this.#profile ?? {}) as Template, path);
      default:
        return VOCABULARY.cast.has(name) ? this.keyPair(name).address : undefined;
    }
  }

  waiver(exchange: Exchange): Waiver | undefined {
    if (this.host.realClock && this.#expiries.isOfOldKey(exchange) && mayLinger(exchange))
      return { reason: LINGERS };
    if (this.#filling || (isAnswered(OUTCOMES.full, exchange) && this.#isAboutFull(exchange)))
      return undefined;
    return this.stored.reasonToRefuse(exchange);
  }

  mayStandIn(exchange: Exchange): boolean {
    return isFrameworkAnswer(exchange, this.#judgeContext());
  }

  restarted(): void {
    this.#before = this.host.exchanges.length;
    this.#youngest.clear();
    this.#flooded.clear();
    this.comers = new Comers();
    this.people.forgetBearers();
    this.#sessionCreators.restarted();
    this.stored.restarted();
    this.#issued = new Issued();
    this.#expiries.restarted();
    this.#profile = undefined;
  }

  nextSequence(): void {
    this.people.forgetMints();
    this.#signed.clear();
  }

  alive(store: Store): Alive {
    return new Alive(store, this.host.exchanges.slice(this.#before));
  }

  keyPair(name: string): KeyPair {
    return this.people.keyPair(name);
  }

  freshKey(): string {
    return this.people.freshKey();
  }

  /** The body of a valid build: a mint of its own for every key. */
  launchMembers(actor: string, key: string | undefined): Readonly<Record<string, Template>> {
    const { info, label } = this.host;
    const [host] = info.facts.metadataHosts;
    const mint = this.people.mint(`${actor} ${key ?? ""}`);
    return launchMembers(this.keyPair(actor).address, mint, host, label);
  }

  /** `signatureBase64` for a challenge, as far as the spec departs from an honest proof. */
  proof(spec: Omit<ProofSpec, "signedBytes" | "bytes">): string {
    const { signedBytes } = this.host.info.facts;
    const bytes = this.#signed.get(spec.text);
    return proofText({ ...spec, signedBytes, ...(bytes === undefined ? {} : { bytes }) });
  }

  /** Reads the profile, once of each instance of the service. */
  async ensureProfile(at: StepPlace): Promise<void> {
    if (this.#profile !== undefined) return;
    this.host.expectSuccess(await this.host.exchange(ROUTES.platform, at), at);
  }

  /** A challenge and its honest proof; gives the proof's exchange. */
  async openSession(actor: string, at: StepPlace): Promise<Exchange> {
    await this.ensureProfile(at);
    const { challenge, session } = await this.signIn(actor, at);
    if (session !== undefined) return session;
    this.host.expectSuccess(challenge, at);
    return challenge;
  }

  /** A challenge and its honest proof, whatever they are answered with. */
  async signIn(actor: string, at: StepPlace): ReturnType<typeof signIn<Exchange>> {
    const signer = this.keyPair(actor);
    const answers = await signIn({
      address: signer.address,
      termsHash: this.#profile?.["termsHash"],
      prove: (text) => this.proof({ signer, text }),
      send: (request) => this.host.exchange(request, at),
    });
    if (answers.session?.status === 200) this.people.keepBearer(actor, answers.session.body["bearer"]);
    return answers;
  }

  #judgeContext(): JudgeContext {
    const { host } = this;
    const { info, clockToleranceMs } = host;
    return {
      facts: info.facts,
      get timekeeping() {
        return host.timekeeping;
      },
      clockToleranceMs,
      profile: this.#profile,
      drafts: this.#drafts,
      creatorOf: (bearer) => this.#sessionCreators.of(bearer),
      overHttp: info.transport === "http",
    };
  }

  /** For whom the step was made; a challenge's creator answers for its proof. */
  #actorOf({ fields, verb }: OperationStep): string | undefined {
    if (verb === "verify") return this.#actors.get(this.host.captured(fields["challenge"]));
    const name = fields["for"] ?? fields["by"];
    return typeof name === "string" ? name : undefined;
  }

  /** Whether a build needs a session that its creator does not have yet. */
  #lacksSession(fields: Fields): boolean {
    if (Object.hasOwn(fields, "session") || Object.hasOwn(fields, "bearer")) return false;
    return this.people.bearerOf(String(fields["by"])) === undefined;
  }

  #fill(fields: Fields): Fields {
    const filled: Record<string, Template> = {};
    for (const name of Object.keys(fields)) {
      const value = fields[name] ?? null;
      filled[name] = NAME_FIELDS.has(name) ? value : this.host.fill(value);
    }
    return filled;
  }

  #challengeMembers(actor: string): Readonly<Record<string, Template>> {
    return challengeMembers(this.keyPair(actor).address, this.#profile?.["termsHash"]);
  }

  #verifyRequest(fields: Fields): ServiceRequest {
    const challenge = this.host.captured(fields["challenge"]);
    if (challenge.status !== 200)
      throw new NotApplicable("the service gave no challenge that could be proven");
    const signature = this.#proofFor(challenge, fields["proof"]);
    return operationRequest("verify", verifyMembers(challenge.body["id"], signature), fields);
  }

  #proofFor(challenge: Exchange, template: Template | undefined): string {
    const { over = challenge.body["message"] } = (template ?? {}) as { readonly over?: unknown };
    const { by, over: _, ...changes } = (template ?? {}) as Record<string, never>;
    return this.proof({
      signer: this.keyPair(by ?? this.#actors.get(challenge) ?? "alice"),
      text: messageText(over),
      ...changes,
    });
  }

  #buildRequest(fields: Fields): ServiceRequest {
    const by = String(fields["by"]);
    const key = fields["key"] === undefined ? this.freshKey() : fields["key"];
    const keyText = typeof key === "string" ? key : undefined;
    const credentials = fields["session"] === undefined ? this.#bearerOf(by) : this.#bearer(fields);
    return operationRequest("build", this.launchMembers(by, keyText), fields, {
      ...credentials,
      ...(keyText === undefined ? {} : { key: keyText }),
    });
  }

  #bearerOf(actor: string): { readonly bearer?: string } {
    const bearer = this.people.bearerOf(actor);
    return bearer === undefined ? {} : { bearer };
  }

  /** The bearer of the session that a step names, if it names one. */
  #bearer({ session }: Fields): { readonly bearer?: string } {
    const bearer = session === undefined ? undefined : this.host.captured(session).body["bearer"];
    return typeof bearer === "string" ? { bearer } : {};
  }
}

/** Who comes, by a step. */
function comingOf({ value, open }: CustomStep): Pick<Coming, "open" | "by" | "times" | "leaving"> {
  const { by, times, leaving } = value;
  return {
    open,
    times: Number(times),
    by: typeof by === "string" ? by : undefined,
    leaving: typeof leaving === "number" ? leaving : undefined,
  };
}

/** The place of what the kit does on a step's behalf. */
function preparing(at: StepPlace): StepPlace {
  return { ...at, step: preparedStep(at.step) };
}
