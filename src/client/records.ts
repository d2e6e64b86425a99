/** The interface's records and parameters by name, taken from the types made from its document (wire-types.ts). */
import type { Version } from "./settings.ts";
import type { components, operations } from "./wire-types.ts";

type Schemas = components["schemas"];
type DataOf<Name extends keyof Schemas> = Schemas[Name] extends { readonly data: infer Data } ? Data : never;
type ElementOf<List> = List extends readonly (infer Element)[] ? Element : never;
/** With version `latest` some records have more fields. */
type By<V extends Version, One, Latest> = V extends "latest" ? Latest : One;

/** `payments` or `accounts`. */
export type Scope = Schemas["CcgToken"]["scope"];

/**
 * A certificate of a PSP, alone or with its issuers: PEM, base64 of DER, or what a proxy puts into a header, as text; or
 * DER as bytes. A PEM file can be given as it is.
 */
export type Certificate = string | Uint8Array;

/** The address for the customer's browser, with the code. */
export type RedirectRecord = DataOf<"RedirectRecord">["redirect_uri"];
/** The same with OAuth's error. Its `base_url` is spelled so in the interface. */
export type RedirectRefusal = DataOf<"RefusedRedirectRecord">["redirect_uri"];
export type AccessToken = DataOf<"AccessToken">;
export type OpenBankingAccessToken = DataOf<"OpenBankingAccessToken">;
export type TokenRecord<V extends Version = "1"> = By<V, DataOf<"TokenRecord">, DataOf<"TokenRecordLatest">>;
export type TokenInformation<V extends Version = "1"> = By<
  V,
  DataOf<"TokenInformation">,
  DataOf<"TokenInformationLatest">
>;
export type CcgToken = Schemas["CcgToken"];
export type AccountAccessConsent = DataOf<"AccountAccessConsent">;
/** As created: with version `latest` a `warning` says that the institution has cut its end. */
export type CreatedAccountAccessConsent<V extends Version = "1"> = By<
  V,
  AccountAccessConsent,
  DataOf<"AccountAccessConsentLatest">
>;
export type PaymentOrderConsent = DataOf<"PaymentOrderConsent">;
export type PspCheck<V extends Version = "1"> = By<V, Schemas["PspCheck"], Schemas["PspCheckLatest"]>;
/** What the check of the certificate answers, and `signature`: `verified` is true exactly if its `problems` is empty. */
export type SignatureCheck<V extends Version = "1"> = By<V, Schemas["SignatureCheck"], Schemas["SignatureCheckLatest"]>;
/** Of one certificate: its results, one for each jurisdiction, or why it was not checked. */
export type PspChecks<V extends Version = "1"> = ElementOf<By<V, DataOf<"PspChecks">, DataOf<"PspChecksLatest">>>;
/** `active: false` says nothing else (RFC 7662 section 2.2). */
export type Introspection = Schemas["ActiveToken"] | Schemas["InactiveToken"];
export type Permission = ElementOf<DataOf<"PermissionList">>;
export type AccountBlock = DataOf<"AccountBlock">;
/** Whether the ledger of today contains a head that was kept. */
export type HeadComparison = DataOf<"HeadComparison">;
export type LedgerHead = DataOf<"LedgerHead">;
/** As it stands in the ledger; `hash` is that of `text`. */
export type AuditListing = ElementOf<DataOf<"AuditRecordList">>;
/** Consecutive records that are damaged in the service's store. */
export type AuditGap = ElementOf<Schemas["AuditRecordList"]["gaps"]>;
/** The same with everything that it is based on. */
export type AuditRecord = DataOf<"AuditRecord">;
/** A PSP that the institution watches. */
export type Watch = DataOf<"Watch">;
/** `next_after` is the parameter `after` of the next request, also if there was nothing new. */
export type EventPage = Schemas["EventList"];
/** As it is listed, and as it comes to a webhook. */
export type PspEvent = ElementOf<EventPage["data"]>;
export type Health = Schemas["Health"];
export type Status = Schemas["Status"];

/** All parameters of an operation, wherever they travel; a certificate may be bytes. */
export type ParametersOf<Id extends keyof operations> = Sent<
  Part<operations[Id], "path"> & Part<operations[Id], "query"> & Part<operations[Id], "header"> & Body<operations[Id]>
>;

type Part<Operation, Name extends string> = Operation extends { readonly parameters: infer Parts }
  ? Name extends keyof Parts
    ? // without parameters of this kind: never
      [NonNullable<Parts[Name]>] extends [never]
      ? unknown
      : NonNullable<Parts[Name]>
    : unknown
  : unknown;

type Body<Operation> = Operation extends {
  readonly requestBody: { readonly content: { readonly "application/json": infer Json } };
}
  ? Json
  : unknown;

type Sent<Given> = Given extends readonly (infer Element)[]
  ? readonly Sent<Element>[]
  : Given extends object
    ? {
        readonly [Name in keyof Given]: Name extends "eidas" | "eIDAS"
          ? Certificate | Absent<Given[Name]>
          : Sent<Given[Name]>;
      }
    : Given;
type Absent<Value> = Extract<Value, undefined>;
