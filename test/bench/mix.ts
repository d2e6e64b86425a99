/**
 * The mixed load: banks draw what they do from a seeded mix. They are the tests' bank, so that every answer is held against the
 * contract; its status, its error's code, and what follows from what was asked are held here. Runs in the generator's process.
 */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { Random, weighted } from "../random.ts";
import { type Answer, type Bank, type Call, makeBank } from "../raw-bank.ts";
import { OTHER_CREDENTIALS, SANDBOX_CREDENTIALS } from "../sandbox-fis.ts";
import { faultOf } from "./certificates.ts";

/** Actions in a hundred. A flow and a consent are several requests each. */
export const MIX = {
  ...{ "PSP check": 70, "token information": 10, "code-to-token flow": 10, consent: 5, "hostile input": 5 },
} as const;
export type Kind = keyof typeof MIX;
export const KINDS = Object.keys(MIX) as readonly Kind[];

const drawKind = weighted(Object.values(MIX));

export interface MixTask {
  readonly url: string;
  /** The file of the contract's validators. */
  readonly contract: string;
  /** Certificates that are faulty as faultOf says, in base64. */
  readonly leaves: readonly string[];
  /** Of the sandbox: the certificate, the jurisdiction, and the whole answer in version 1. */
  readonly scenarios: readonly { readonly eidas: string; readonly jurisdiction: string; readonly answer: unknown }[];
  readonly connections: number;
  readonly seed: number;
  /** Nothing but certificates that were never seen, each in a header of 8 KB, in the place of the mix. */
  readonly largeHeaders: boolean;
}

/** What was counted in some seconds. */
export interface MixSlice {
  wrong: number;
  serverErrors: number;
  readonly firstWrong: string[];
  /** Milliseconds. */
  readonly latencies: Record<Kind, number[]>;
  readonly actions: Record<Kind, number>;
}

const SHOWN_WRONG_ANSWERS = 10;
const ofEachKind = <Value>(make: () => Value) =>
  Object.fromEntries(KINDS.map((kind) => [kind, make()])) as Record<Kind, Value>;
export const emptySlice = (): MixSlice => ({
  ...{ wrong: 0, serverErrors: 0, firstWrong: [] },
  ...{ latencies: ofEachKind(() => []), actions: ofEachKind(() => 0) },
});
export function addSlice(to: MixSlice, other: MixSlice): void {
  to.wrong += other.wrong;
  to.serverErrors += other.serverErrors;
  to.firstWrong.push(...other.firstWrong.slice(0, SHOWN_WRONG_ANSWERS - to.firstWrong.length));
  for (const kind of KINDS) {
    to.latencies[kind] = to.latencies[kind].concat(other.latencies[kind]);
    to.actions[kind] += other.actions[kind];
  }
}

const at = (value: unknown, way: string): unknown =>
  way.split(".").reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), value);
const textAt = (value: unknown, way: string): string => String(at(value, way));

/** Fields of an answer, by their ways. Throws a sentence about the first that is another. */
export function hold(body: unknown, fields: Readonly<Record<string, unknown>>): void {
  for (const [way, expected] of Object.entries(fields)) {
    const given = way === "" ? body : at(body, way);
    if (!isDeepStrictEqual(given, expected))
      throw new Error(`${way} is ${JSON.stringify(given)?.slice(0, 300)}, expected: ${JSON.stringify(expected)}`);
  }
}

interface KnownToken {
  readonly text: string;
  readonly account: string;
  readonly scope: string;
  readonly openBanking: boolean;
  active: boolean;
  /** Milliseconds of the process. */
  readonly forgottenAt: number;
}

const REMEMBERED_TOKENS = 100;
/** Of the hour of a token: it is still alive when its answer comes. */
const REMEMBERED_MS = 55 * 60_000;
/** One source address after the other, each far below the limit of the address. */
const REQUESTS_PER_ADDRESS = 5_000;
const CHECK = "/v1/psp/eidas?jurisdiction=xx";
const CORE = { codes: "/v1/oauth2/authorization_codes", tokens: "/v1/oauth2/tokens" } as const;
const CONSENTS = { accounts: "/v1/obie/account_access_consents", payments: "/v1/obie/payment_order_consents" } as const;
const INITIATION = {
  ...{ instruction_identification: "ANSM021", end_to_end_identification: "FRESCO.21302.GFX.37" },
  instructed_amount: { amount: "165.88", currency: "EUR" },
  creditor_account: { scheme_name: "IBAN", identification: "XX0700000000000001", name: "Acme Ltd" },
};
const REDIRECT = { redirect_uri: "https://psp.example/callback", state: "af0ifjsldkj" };
/** The first answers to the checks of certificates: every later one is the same. */
const FIRST = new Map<number, string>();

type Request = readonly [method: string, path: string, call?: Call];

interface Banks {
  readonly own: Bank;
  readonly other: Bank;
}

class LoadBank {
  readonly #task: MixTask;
  readonly #number: number;
  readonly #random: Random;
  readonly #send: Banks;
  readonly #tokens: KnownToken[] = [];
  #slice = emptySlice();
  #kind: Kind = "PSP check";
  #asked = 0;
  #names = 0;

  constructor(task: MixTask, number: number, send: Banks) {
    this.#task = task;
    this.#number = number;
    this.#random = new Random(task.seed * 100_003 + number);
    this.#send = number % 2 === 0 ? send : { own: send.other, other: send.own };
  }

  async act(slice: MixSlice, until: number): Promise<void> {
    this.#slice = slice;
    while (performance.now() < until) {
      const [kind, action] = this.#task.largeHeaders ? (["hostile input", this.#largeHeader] as const) : this.#draw();
      this.#kind = kind;
      slice.actions[kind]++;
      await action.call(this).catch((error: Error) => {
        slice.wrong++;
        // the client's own words for whatever its fetch throws say nothing of the contract
        const { message } = error.cause instanceof Error ? error.cause : error;
        if (slice.firstWrong.length < SHOWN_WRONG_ANSWERS) slice.firstWrong.push(`${kind}: ${message}`);
        // a service that refuses connections is not asked a hundred thousand times a second
        return new Promise((resolve) => setTimeout(resolve, 20));
      });
    }
  }

  #draw(): readonly [Kind, () => Promise<void>] {
    const actions: Readonly<Record<Kind, () => Promise<void>>> = {
      "PSP check": this.#checkPsp,
      "token information": this.#askForToken,
      "code-to-token flow": this.#random.chance(0.5) ? this.#coreFlow : this.#openBankingFlow,
      consent: this.#useConsent,
      "hostile input": this.#attack,
    };
    const kind = KINDS[drawKind(this.#random)] ?? "PSP check";
    return [kind, actions[kind]];
  }

  #one<Element>(elements: readonly Element[]): Element {
    return elements[this.#random.below(elements.length)] as Element;
  }

  /** A name that nothing else of the run has. */
  #name(prefix: string): string {
    return `${prefix}-${this.#number}-${++this.#names}`;
  }

  /** Holds status and code of its error, if it has one, and the fields. Answers the body. */
  async #ask(
    [method, path, call = {}]: Request,
    expected: number | string,
    fields: Readonly<Record<string, unknown>> = {},
    by: "own" | "other" = "own",
  ): Promise<unknown> {
    const answer = await this.#exchange(method, path, call, by);
    try {
      hold(answer, typeof expected === "number" ? { status: expected } : errorOf(expected));
      hold(answer.body, fields);
    } catch (error) {
      const given = `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 500)}`;
      throw new Error(`${method} ${path.slice(0, 120)}: ${(error as Error).message}. Answer: ${given}`);
    }
    return answer.body;
  }

  async #exchange(method: string, path: string, call: Call, by: "own" | "other"): Promise<Answer> {
    const address = this.#number * 4_096 + (Math.floor(this.#asked++ / REQUESTS_PER_ADDRESS) % 4_096);
    const source = `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`;
    // the newest version adds fields to PSP checks only
    const version = this.#random.chance(0.2) ? "latest" : "1";
    const headers = { version, "CF-Connecting-IP": source, transaction_reference: this.#name("load"), ...call.headers };
    const began = performance.now();
    const answer = await this.#send[by](method, path, { ...call, headers });
    this.#slice.latencies[this.#kind].push(performance.now() - began);
    if (answer.status >= 500) this.#slice.serverErrors++;
    return answer;
  }

  /** A certificate without a fault, and never seen before where `forged`: one bit of its signature is another. */
  #eidas(forged = false): string {
    let index = this.#random.below(this.#task.leaves.length);
    while (faultOf(index) !== null) index = this.#random.below(this.#task.leaves.length);
    const der = Buffer.from(this.#task.leaves[index] ?? "", "base64");
    // of an RSA signature's 256 bytes the first is left alone: above the modulus it would be refused in other words
    const place = der.length - 1 - this.#random.below(255);
    if (forged) der[place] = (der[place] ?? 0) ^ (1 << this.#random.below(8));
    return der.toString("base64");
  }

  async #checkPsp(): Promise<void> {
    if (this.#random.chance(0.3)) {
      const { eidas, jurisdiction, answer } = this.#one(this.#task.scenarios);
      const headers = { eidas, version: "1" };
      await this.#ask(["GET", `/v1/psp/eidas?jurisdiction=${jurisdiction}`, { headers }], 200, { "": answer });
      return;
    }
    const index = this.#random.below(this.#task.leaves.length);
    const fault = faultOf(index);
    const version = this.#one(["1", "1", "1", "1", "latest"]);
    const headers = { eidas: this.#task.leaves[index], version };
    const body = await this.#ask(["GET", CHECK, { headers }], 200, {
      "eIDAS.validity": {
        validQTSP: fault !== "unlisted",
        validSignature: fault !== "unlisted" && fault !== "expired",
        notRevoked: fault === null,
        notExpired: fault !== "expired",
      },
      ...(version === "latest" && { "decision.accounts.allowed": fault === null }),
    });
    if (version === "latest") return;
    const text = JSON.stringify(body);
    if (FIRST.has(index) && FIRST.get(index) !== text)
      throw new Error(`certificate ${index} has another answer: ${text}`);
    FIRST.set(index, text);
  }

  // the core flow

  async #issueCode(account: string, scope: string) {
    const headers = { eidas: this.#eidas() };
    const body = {
      account_id: account,
      client_request_query_parameters: { response_type: "code", scope, ...REDIRECT },
    };
    const issued = await this.#ask(["POST", CORE.codes, { headers, body }], 201, {
      "data.redirect_uri.parameters.state": REDIRECT.state,
    });
    const code = textAt(issued, "data.redirect_uri.parameters.code");
    const redeem = (changed: object = {}, account_id = account) =>
      [
        ...(["POST", CORE.tokens] as const),
        {
          headers,
          body: {
            account_id,
            client_request_query_parameters: {
              ...{ grant_type: "authorization_code", code, redirect_uri: REDIRECT.redirect_uri, ...changed },
            },
          },
        },
      ] as const;
    return redeem;
  }

  #known(body: unknown, account: string, scope: string, openBanking: boolean): KnownToken {
    const text = textAt(body, "data.access_token");
    return { ...{ text, account, scope, openBanking }, active: true, forgottenAt: performance.now() + REMEMBERED_MS };
  }

  async #readRecord({ text, account, scope, active }: KnownToken): Promise<void> {
    const fields = { "data.token": text, "data.active": active, "data.account_id": account, "data.scope": scope };
    await this.#ask(["GET", `${CORE.tokens}/${text}`], 200, fields);
  }

  #remember(token: KnownToken): void {
    if (this.#tokens.push(token) > REMEMBERED_TOKENS) this.#tokens.shift();
  }

  /** The account is new: its list has the one token. */
  async #coreFlow(): Promise<void> {
    const [account, scope] = [this.#name("account"), this.#one(["accounts", "payments"])];
    const redeem = await this.#issueCode(account, scope);
    const token = this.#known(await this.#ask(redeem(), 201, { "data.scope": scope }), account, scope, false);
    const list = { "data.length": 1, "data.0.token": token.text, "data.0.active": true };
    await this.#ask(["GET", `/v1/oauth2/account/${account}/tokens`], 200, list);
    if (this.#random.chance(0.25)) {
      await this.#ask(["DELETE", `${CORE.tokens}/${token.text}`], 204);
      token.active = false;
      await this.#readRecord(token);
    }
    this.#remember(token);
  }

  // open banking

  async #ccg(scope: string): Promise<{ ccg_token: string }> {
    const body = { eIDAS: this.#eidas(), scope };
    const made = await this.#ask(["POST", "/v1/obie/ccg_tokens", { body }], 201, { scope, active: true });
    return { ccg_token: textAt(made, "access_token") };
  }

  async #createConsent(headers: { ccg_token: string }, scope: "accounts" | "payments"): Promise<string> {
    const data =
      scope === "accounts" ? { permissions: ["ReadAccountsBasic", "ReadBalances"] } : { initiation: INITIATION };
    const sent = Object.fromEntries(Object.entries(data).map(([name, value]) => [`data.${name}`, value]));
    const created = await this.#ask(["POST", CONSENTS[scope], { headers, body: { data } }], 201, {
      ...{ ...sent, "data.status": "AwaitingAuthorisation" },
    });
    return `${CONSENTS[scope]}/${textAt(created, "data.consent_id")}`;
  }

  async #openBankingFlow(): Promise<void> {
    const [account, scope] = [this.#name("account"), this.#one(["accounts", "payments"] as const)];
    const headers = await this.#ccg(scope);
    const path = await this.#createConsent(headers, scope);
    const consent_id = path.split("/").at(-1);
    const request = { consent_id, psu_account_id: account, scope, ...REDIRECT };
    const issued = await this.#ask(["POST", "/v1/obie/authorization_codes", { headers, body: request }], 201);
    await this.#ask(["GET", path, { headers }], 200, { "data.status": "Authorised" });
    const auth_code = textAt(issued, "data.redirect_uri.parameters.code");
    const exchange = { auth_code, redirect_uri: REDIRECT.redirect_uri };
    const redeemed = await this.#ask(["POST", "/v1/obie/tokens", { headers, body: exchange }], 201);
    if (scope === "payments") await this.#ask(["GET", path, { headers }], 200, { "data.status": "Consumed" });
    const token = this.#known(redeemed, account, scope, true);
    await this.#ask(["POST", "/v1/introspect", { body: { token: token.text } }], 200, {
      ...{ active: true, scope, account_id: account, consent_id, "psp.decision.allowed": true },
    });
    this.#remember(token);
  }

  /** A payment order consent has no DELETE. */
  async #useConsent(): Promise<void> {
    const scope = this.#one(["accounts", "payments"] as const);
    const headers = await this.#ccg(scope);
    const path = await this.#createConsent(headers, scope);
    await this.#ask(["GET", path, { headers }], 200, { "data.status": "AwaitingAuthorisation" });
    if (scope === "payments") return;
    await this.#ask(["DELETE", path, { headers }], 204);
    await this.#ask(["GET", path, { headers }], "404 consent_not_found");
  }

  async #askForToken(): Promise<void> {
    while ((this.#tokens[0]?.forgottenAt ?? Infinity) < performance.now()) this.#tokens.shift();
    if (this.#tokens.length === 0) await this.#coreFlow();
    const token = this.#one(this.#tokens);
    if (!token.openBanking || this.#random.chance(0.5)) return this.#readRecord(token);
    const headers = await this.#ccg(token.scope);
    const fields = { "data.access_token": token.text, "data.active": token.active };
    await this.#ask(["GET", `/v1/obie/tokens/${token.text}`, { headers }], 200, fields);
  }

  // what nobody should send, and somebody will

  async #attack(): Promise<void> {
    const garbage = (bytes: number) =>
      Buffer.from(Array.from({ length: bytes }, () => this.#random.below(256))).toString("base64url");
    const eidas = this.#eidas();
    const check = (headers: Record<string, string | undefined>, path = CHECK) =>
      ["GET", path, { headers: { eidas, ...headers } }] as const;
    const codes = (body: unknown) =>
      ["POST", CORE.codes, { headers: { eidas, "Content-Type": "application/json" }, body }] as const;
    const other = this.#number % 2 === 0 ? OTHER_CREDENTIALS : SANDBOX_CREDENTIALS;
    const wrong: readonly (readonly [Request, string])[] = [
      [check({ Authorization: undefined }), "401 credentials_missing"],
      [check({ Authorization: `Basic ${btoa(`sandbox-fi:${garbage(32)}`)}` }), "401 credentials_invalid"],
      [check({ fi_reference_id: other.fiReferenceId }), "401 fi_reference_id_invalid"],
      [check({ version: undefined }), "404 version_missing"],
      [check({ eidas: `////${garbage(700)}` }), "404 certificate_unreadable"],
      [check({}, "/v1/psp/eidas?jurisdiction=QQQ"), "404 jurisdiction_invalid"],
      [check({}, `${CHECK}&jurisdiction=XY`), "404 jurisdiction_invalid"],
      [check({}, "/v1/psp/eidass"), "404 path_not_found"],
      [["PUT", CORE.codes], "405 method_not_allowed"],
      [codes('{"account_id": "a", '), "400 body_malformed"],
      [codes({ account_id: garbage(100), filler: "x".repeat(70_000) }), "400 body_too_large"],
      [["GET", `${CORE.tokens}/load.${garbage(24)}.${garbage(32)}`], "404 token_not_found"],
      [
        [
          "POST",
          "/v1/obie/tokens",
          { headers: { ccg_token: `load.${garbage(180)}` }, body: { auth_code: garbage(60), ...REDIRECT } },
        ],
        "401 ccg_token_invalid",
      ],
    ];
    await this.#one([
      ...wrong.map(
        ([request, error]) =>
          () =>
            this.#ask(request, error),
      ),
      () =>
        this.#ask(["GET", CHECK, { headers: { eidas: this.#eidas(true) } }], 200, {
          "eIDAS.validity": { validQTSP: false, validSignature: false, notRevoked: false, notExpired: true },
        }),
      () => this.#replay(false),
      () => this.#replay(true),
      () => this.#misuse(),
      () => this.#steal(),
    ])();
  }

  /** A code is used again, afterwards or at the same instant: one wins, and its token is revoked, too. */
  async #replay(atOnce: boolean): Promise<void> {
    const account = this.#name("account");
    const [method, path, call] = (await this.#issueCode(account, "accounts"))();
    const send = () => this.#exchange(method, path, call, "own");
    const answers = atOnce ? await Promise.all([send(), send()]) : [await send(), await send()];
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    hold(won, { status: 201 });
    hold(lost, errorOf("403 code_used"));
    await this.#readRecord({ ...this.#known(won?.body, account, "accounts", false), active: false });
  }

  /** The other institution, another redirect URI, another account: each is refused, and the code still works. */
  async #misuse(): Promise<void> {
    const account = this.#name("account");
    const redeem = await this.#issueCode(account, "accounts");
    await this.#one([
      () => this.#ask(redeem(), "403 code_unknown", {}, "other"),
      () => this.#ask(redeem({ redirect_uri: `${REDIRECT.redirect_uri}x` }), "403 redirect_uri_mismatch"),
      () => this.#ask(redeem({}, `${account}x`), "403 account_id_mismatch"),
    ])();
    await this.#ask(redeem(), 201);
  }

  /** The other institution learns nothing of a token, nor may it end it. */
  async #steal(): Promise<void> {
    const account = this.#name("account");
    const redeem = await this.#issueCode(account, "accounts");
    const token = this.#known(await this.#ask(redeem(), 201), account, "accounts", false);
    const method = this.#one(["GET", "DELETE"]);
    await this.#ask([method, `${CORE.tokens}/${token.text}`], "404 token_not_found", {}, "other");
    await this.#readRecord(token);
  }

  /** 8 KB that nobody has sent before: a forged certificate with those of others behind it, or what is no certificate. */
  async #largeHeader(): Promise<void> {
    const chain = [Buffer.from(this.#eidas(true), "base64")];
    while (Buffer.concat(chain).length < 6_000) chain.push(Buffer.from(this.#eidas(), "base64"));
    const isNone = this.#random.chance(0.5);
    const eidas = Buffer.concat([...(isNone ? [Buffer.alloc(3, 0xff)] : []), ...chain]).toString("base64");
    const fields = isNone ? {} : { "eIDAS.validity.validSignature": false };
    await this.#ask(["GET", CHECK, { headers: { eidas } }], isNone ? "404 certificate_unreadable" : 200, fields);
  }
}

/** `"404 token_not_found"`. */
function errorOf(text: string): Readonly<Record<string, unknown>> {
  const [status, code] = text.split(" ");
  return { status: Number(status), "body.errors.0.code": code };
}

export interface Mix {
  readonly act: (seconds: number) => Promise<MixSlice>;
}

export async function startMix(task: MixTask): Promise<Mix> {
  const contract = pathToFileURL(task.contract).href;
  registerHooks({
    resolve: (name, context, next) =>
      name === "virtual:contract" ? { url: contract, shortCircuit: true } : next(name, context),
  });
  const { checked } = await import("../contract/checked.ts");
  const [own, other] = [SANDBOX_CREDENTIALS, OTHER_CREDENTIALS].map((credentials) =>
    makeBank(checked(fetch), task.url, credentials),
  ) as [Bank, Bank];
  const banks = Array.from({ length: task.connections }, (_, number) => new LoadBank(task, number, { own, other }));
  return {
    act: async (seconds) => {
      const slice = emptySlice();
      const until = performance.now() + seconds * 1_000;
      await Promise.all(banks.map((bank) => bank.act(slice, until)));
      return slice;
    },
  };
}
