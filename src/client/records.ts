/** stand-in until the contract's document is there */
import type { Version } from "./settings.ts";
export type Scope = "accounts" | "payments";
/** PEM or base64 text, alone or with its issuers; or DER as bytes. */
export type Certificate = string | Uint8Array;
export interface RedirectRecord {
  base_uri: string;
  parameters: { code: string; state?: string };
  full_uri: string;
}
export interface RedirectRefusal {
  base_url: string;
  parameters: { error: "invalid_scope" | "access_denied"; error_description: string; state?: string };
  full_uri: string;
}
export interface AccessToken {
  access_token: string;
  expires_in: number;
  token_type: "bearer";
  scope: Scope;
}
export interface ObieAccessToken {
  access_token: string;
  expires_in: number;
  token_type: "bearer";
  state?: string;
}
export interface TokenRecord {
  token: string;
  active: boolean;
  psp_id: string;
  account_id: string;
  scope: Scope;
  exp: number;
  iat: number;
  revoked_at: number | null;
  warning?: string;
}
export interface TokenInformation {
  access_token: string;
  expires_in: number;
  token_type: "bearer";
  active: boolean;
  warning?: string;
}
export interface CcgToken {
  psp_id: string;
  access_token: string;
  expires_in: number;
  token_type: "bearer";
  scope: Scope;
  payment_service_number: 7 | 8;
  active: boolean;
  warning?: string;
}
export interface AccountAccessConsent {
  consent_id: string;
  status: "AwaitingAuthorisation" | "Authorised";
  permissions: readonly string[];
  warning?: string;
}
export interface PaymentOrderConsent {
  consent_id: string;
  status: string;
  initiation: object;
}
export type PspCheck<V extends Version> = { eIDAS: { validity: { validQTSP: boolean } } } & (V extends "latest"
  ? { decision: Record<Scope, { allowed: boolean }> }
  : unknown);
export type Introspection = { active: false } | { active: true; scope: Scope; account_id: string };
export interface Permission {
  id: string;
  status: "active" | "ended";
}
export interface AccountBlock {
  scopes: readonly Scope[];
  blocked_at: string | null;
}
export interface Health {
  status: "up" | "degraded" | "down";
  reasons: readonly string[];
  version: string;
}
export interface Status {
  status: "up" | "degraded";
  version: string;
}
export interface IntrospectParameters {
  token: string;
  eidas?: Certificate;
}
export type Parameters<Path extends string, Method extends string> = { [name: string]: unknown } & {
  cursor?: string;
} & (Path extends Method ? unknown : unknown);
