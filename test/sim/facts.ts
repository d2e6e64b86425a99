/** What the clients of a history know: what they were given, and what they have ended. Invariants judge by it. */
import type { Register } from "../../src/registers/register.ts";
import type { NUMBERS } from "./certificates.ts";
import type { EbaSource } from "./eba-publisher.ts";
import type { Exchange } from "./requests.ts";

export const SCOPES = ["accounts", "payments"] as const;
export type Scope = (typeof SCOPES)[number];
type Flow = "core" | "obie";

export interface Code {
  readonly flow: Flow;
  /** fi_reference_id. */
  readonly fi: string;
  readonly account: string;
  /** The name of its certificate. */
  readonly psp: string;
  readonly scope: Scope;
  readonly consentId: string | null;
  /** True time, in milliseconds since 1970; null: open ended. */
  readonly consentEndsAt: number | null;
  readonly text: string;
  readonly issue: Exchange;
  readonly attempts: Attempt[];
}

/** A redemption. */
export interface Attempt {
  readonly exchange: Exchange;
  readonly code: Code;
  /** By whom and for whom the code was issued. */
  readonly lawful: boolean;
}

export interface Token {
  readonly text: string;
  readonly code: Code;
  readonly issue: Exchange;
}

export interface Introspection {
  readonly exchange: Exchange;
  readonly token: Token;
  /** The institution that asks. */
  readonly fi: string;
}

/** A withdrawal of all, of one consent, the revocation of a token. */
export interface End {
  readonly fi: string;
  readonly account: string;
  /** Null: all of the account. */
  readonly consentId: string | null;
  readonly token: Token | null;
  readonly exchange: Exchange;
}

export interface BlockChange {
  readonly fi: string;
  readonly account: string;
  readonly block: boolean;
  readonly exchange: Exchange;
}

/** An operator sets an institution's status in the console. */
export interface StatusForm {
  readonly to: "active" | "disabled";
  /** The page with the form, which names the version of the status. */
  readonly form: Exchange;
  readonly exchange: Exchange;
}

/** Begins or ends. */
export interface Watch {
  readonly fi: string;
  /** The name of its certificate. */
  readonly psp: keyof typeof NUMBERS;
  readonly begins: boolean;
  readonly exchange: Exchange;
}

/** A file that the operator imports: the register as it is from then on. Instants are true ones. */
export interface RegisterImport {
  /** By the name of its certificate: whether it is authorised. */
  readonly authorised: Readonly<Record<string, boolean>>;
  readonly register: Register;
  readonly begunAt: number;
  /** Null: it has not ended, or broke off. */
  endedAt: number | null;
}

/** A refresh of the EBA's register that ended: this file, or a later one, is loaded. `endedAt`: true time. */
interface EbaLoad {
  readonly source: EbaSource;
  readonly number: number;
  readonly endedAt: number;
}

/** An institution is disabled, or enabled again. Instants are true ones. */
export interface StatusChange {
  readonly fi: string;
  readonly status: "active" | "disabled";
  readonly begunAt: number;
  /** Null: it has not ended. */
  endedAt: number | null;
}

export class Facts {
  readonly statuses: StatusChange[] = [];
  readonly erasures: { readonly fi: string; readonly account: string; readonly exchange: Exchange }[] = [];
  readonly watches: Watch[] = [];
  readonly imports: RegisterImport[] = [];
  readonly ebaLoads: EbaLoad[] = [];
  readonly codes: Code[] = [];
  readonly tokens: Token[] = [];
  readonly ends: End[] = [];
  readonly blocks: BlockChange[] = [];
  readonly statusForms: StatusForm[] = [];
  /** Pages that a person asked for, with the answer by which the session began. */
  readonly pages = new Map<Exchange, { readonly began: Exchange }>();
  /** Of all sessions of the person who began one so. */
  readonly sessionEnds: { readonly began: Exchange; readonly exchange: Exchange }[] = [];
  readonly attempts = new Map<Exchange, Attempt>();
  /** Lists of the permissions of an account. */
  readonly listings = new Map<Exchange, Pick<Code, "fi" | "account">>();
  readonly introspections = new Map<Exchange, Introspection>();
  /** Signed heads that the auditor has kept. */
  readonly heads: { readonly fi: string; readonly seq: number; readonly hash: string }[] = [];
}

export const isAnswered = ({ status }: Exchange): boolean => status >= 200 && status < 300;

/** Whether the one had been answered when the other was sent. */
export const isBefore = (a: Exchange, b: Exchange): boolean => a.answeredAt !== null && a.answeredAt < b.sentAt;

/** Whether the service had ended its work on the one when the other was sent: what still comes of it was decided before. */
export const wasServedBefore = (a: Exchange, b: Exchange): boolean => a.servedAt !== null && a.servedAt < b.sentAt;
