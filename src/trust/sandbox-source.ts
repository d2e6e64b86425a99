/**
 * A sandbox's CA vouches for PSPs of user-assigned countries alone, wherever it was loaded by mistake: no real PSP is of
 * such a country, and no certificate of one's own says yes to a real one. Pure.
 */
import { isUserAssigned } from "../platform/country.ts";
import type { KnownAnchor } from "./anchors.ts";

/** `source` of a sandbox's lists: this, or this with a dash and more. */
export const SANDBOX_SOURCE = "sandbox";

export const isSandboxSource = (source: string): boolean =>
  source === SANDBOX_SOURCE || source.startsWith(`${SANDBOX_SOURCE}-`);

/** `homeCountry`: of the PSP's authorisation number; null if it has none. */
export const believableFor = (anchors: readonly KnownAnchor[], homeCountry: string | null): readonly KnownAnchor[] =>
  homeCountry !== null && isUserAssigned(homeCountry)
    ? anchors
    : anchors.filter(({ listed }) => !isSandboxSource(listed.source));
