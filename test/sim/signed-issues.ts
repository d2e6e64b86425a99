/** The issues of the two trusted lists, as XML that is signed. What they say is in list-publisher.ts. */
import type { KeyObject } from "node:crypto";
import { type Holder, makeCertificate } from "../../fixtures/makers/made-pki.ts";
import { bytesOf, envelop, listContent, MORE, pointer, prepareSignature } from "../../fixtures/makers/signed-list.ts";
import { type ListedPeriod, provider } from "../../fixtures/suites/trusted-lists/listed-service.ts";
import { qtspCertificate } from "./qtsp.ts";
import { makeKey, RSA_SHA256 } from "./rsa-keys.ts";

/** Of the list of lists, of the national list by turns, and one that nobody names. */
export type ListSigner = "list of lists" | "first" | "second" | "forger";

export const LIST_OF_LISTS = "EU";
export const COUNTRY = "XX";
export type Territory = typeof LIST_OF_LISTS | typeof COUNTRY;
/** As fixtures/makers/signed-list.ts writes the pointers. */
export const locationOf = (territory: Territory): string => `https://lists.example/${territory}.xml`;

export interface Period {
  readonly status: "granted" | "withdrawn";
  /** Milliseconds since 1970, whole seconds. */
  readonly from: number;
}

/** What an issue says. Of one that is forged, too. */
export interface Issue {
  readonly territory: Territory;
  readonly number: number;
  /** Milliseconds since 1970, whole seconds. */
  readonly issuedAt: number;
  readonly signer: ListSigner;
  /** Of the list of lists: who may sign the national list. Null: it names none. */
  readonly names: ListSigner | null;
  /** Of the national list's service, newest first. */
  readonly periods: readonly [Period, ...Period[]];
}

const holders = new Map<ListSigner, Holder>();

function holderOf(signer: ListSigner): Holder {
  const known = holders.get(signer);
  if (known) return known;
  const key = makeKey(`signer of lists: ${signer}`);
  const made = makeCertificate({ subject: `Signer of lists, ${signer}`, key, scheme: RSA_SHA256 });
  holders.set(signer, made);
  return made;
}

const write = (instant: number): string => new Date(instant).toISOString().replace(".000", "");

const listPeriod = ({ status, from }: Period): ListedPeriod => ({
  ...{ status, from: write(from) },
  uses: ["ForWebSiteAuthentication"],
});

function writeIssue({ territory, number, issuedAt, names, periods }: Issue): string {
  const content = { territory, sequenceNumber: number, issued: write(issuedAt) };
  if (territory === LIST_OF_LISTS) {
    const own = pointer(LIST_OF_LISTS, [holderOf("list of lists").certificate]);
    const national = names === null ? "" : pointer(COUNTRY, [holderOf(names).certificate]);
    return listContent({ ...content, pointers: `${own}${national}` });
  }
  const [newest, ...older] = periods;
  const service = {
    name: { en: "Simulated QTSP" },
    certificates: [qtspCertificate().der],
    periods: [listPeriod(newest), ...older.map(listPeriod)] as const,
  };
  return listContent({ ...content, providers: provider({ en: "Simulated QTSP" }, [service]) });
}

/** By what they say: many histories begin alike. */
const signed = new Map<string, Uint8Array<ArrayBuffer>>();
const MOST_SIGNED = 2_000;

/** `key`: of another signer than the one that the signature names. */
export function signIssue(issue: Issue, key: ListSigner = issue.signer): Uint8Array<ArrayBuffer> {
  const question = JSON.stringify([issue, key]);
  const known = signed.get(question);
  if (known) return known;
  const content = writeIssue(issue);
  const options = { signatureMethod: `${MORE}rsa-sha256`, signingTime: write(issue.issuedAt) };
  const { signedInfo, finish } = prepareSignature(content, holderOf(issue.signer).certificate, options);
  const value = RSA_SHA256.sign(bytesOf(signedInfo), holderOf(key).key satisfies KeyObject);
  const made = new Uint8Array(bytesOf(envelop(content, finish(value))));
  if (signed.size >= MOST_SIGNED) signed.clear();
  signed.set(question, made);
  return made;
}

/** DER, as the list of lists names it. */
export const signerCertificate = (signer: ListSigner): Uint8Array => holderOf(signer).certificate.der;
