/** How the service is. */

import type { Resource } from "../reference/operation.ts";
import { health, signingKeys, status } from "./operation.answer.ts";

const refresh = (place: string) => ({
  [place]: "How its refreshes go; null if it is not refreshed by itself.",
  [`${place}.checkedAt`]: "When the loaded data was last found to be current; null if never.",
  [`${place}.nextCheck`]: "When it is looked at next.",
  [`${place}.failures`]: "How many refreshes have failed since the last one that did not.",
  [`${place}.lastError`]: "The last failure; null if there was none.",
  [`${place}.lastError.at`]: "When.",
  [`${place}.lastError.message`]: "Why.",
  [`${place}.refusedImport`]: "The operator's last import, if it was refused; null otherwise.",
  [`${place}.refusedImport.at`]: "When.",
  [`${place}.refusedImport.message`]: "Why.",
});

const source = (place: string) => ({
  [`${place}.source`]: "Where it comes from.",
  [`${place}.jurisdiction`]: "Its country, or EU; null for a source of many countries that is not loaded.",
  [`${place}.loaded`]: "Whether its data is used.",
  [`${place}.published`]: "When the source published it; null if it does not say, or nothing is loaded.",
  [`${place}.fetchedAt`]: "When it was last found to be the current one; null if nothing is loaded.",
  [`${place}.nextUpdate`]: "Until when a newer one is due; null if the source does not say it.",
  [`${place}.stale`]: "Older than its publisher or the operator allows. It is used, with a warning.",
  ...refresh(`${place}.refresh`),
});

export const OPERATION: Resource = {
  operations: {
    "GET /health": {
      id: "getHealth",
      tag: "Operation",
      summary: "Get the service's health",
      description:
        "Says whether the service is up, for monitors and without credentials. The answer is at most 10 seconds old.",
      answers: ["Health"],
      success: "The service answers: up, or degraded with the reasons.",
    },
    "GET /status": {
      id: "getStatus",
      tag: "Operation",
      summary: "Get the age of the data",
      description:
        "Lists each trusted list and register that is loaded, with its age, its next update and its last error. The answer says why the service is degraded, and warns of its configuration.",
      answers: ["Status"],
      success: "Every source and its age.",
    },
    "GET /.well-known/jwks.json": {
      id: "getSigningKeys",
      tag: "Operation",
      summary: "Get the keys that sign answers",
      description:
        "Lists the public keys (RFC 7517) of signed answers, without credentials: the one that signs, and those that signed before. The list is empty if the operator made none.",
      answers: ["SigningKeys"],
      success: "The keys.",
    },
  },
  answers: {
    Health: health,
    Status: status,
    SigningKeys: signingKeys,
  },
  texts: {
    Health: {
      status: "`up`; `degraded` if data is missing, stale or fails repeatedly; `down` if a store does not answer.",
      reasons: "Why it is not up, each once.",
      version: "The version of the service.",
    },
    SigningKeys: {
      keys: "Oldest first; the last one signs.",
      "keys[].kty": "An octet key pair (RFC 8037).",
      "keys[].crv": "The curve.",
      "keys[].x": "The public key, base64url.",
      "keys[].kid": "What `keyid` of a signature names: the time when the key was made.",
      "keys[].use": "For signatures only.",
      "keys[].alg": "The algorithm; `ed25519` in RFC 9421.",
      "keys[].nbf": "From when on it signed, in seconds since 1970.",
      "keys[].exp":
        "Until when it signed, in seconds since 1970; absent while it signs. What it signed before stays proven.",
    },
    Status: {
      version: "The version of the service.",
      status: "`up`, or `degraded` for the reasons below.",
      reasons: "Why it is degraded; empty if it is up.",
      "reasons[].code": "The reason, for programs.",
      "reasons[].message": "The reason, for people.",
      "reasons[].source": "The source that it is about; null if nothing is loaded.",
      "reasons[].jurisdiction": "Its country; null if nothing is loaded.",
      trustedLists:
        "The trusted lists, which say whom to believe: those that are loaded in the order of source and country, then the others.",
      ...source("trustedLists[]"),
      "trustedLists[].sequenceNumber": "The number of the list's issue; null if it is not known.",
      "trustedLists[].services": "How many services are on it.",
      "trustedLists[].anchors": "How many certificates of services for qualified certificates.",
      registers:
        "The registers, which say what a PSP may do: those that are loaded in the order of country and source, then the others.",
      ...source("registers[]"),
      "registers[].snapshot": "A hash of the data; null if nothing is loaded.",
      "registers[].psps": "How many PSPs it has.",
      "registers[].agents": "How many agents.",
      "registers[].refused": "How many PSPs have malformed records; their earlier records are kept.",
      "registers[].kept": "The first ten of those PSPs whose earlier records are kept; a check of one says as of when.",
      "registers[].undated":
        "The first ten PSPs of which a category was withdrawn on a day that cannot be read: its status is null, and it entitles to nothing.",
      holes:
        "Countries where half of a day's PSPs with good certificates, and five at least, were not in the register: their numbers differ there, or the register is not whole. Of yesterday and today.",
      "holes[].country": "The country.",
      "holes[].day": "The day on which most were not found.",
      "holes[].psps": "How many PSPs were checked.",
      "holes[].notFound": "How many of them were not found.",
      "holes[].certificateForm": "What most of their numbers are made of.",
      "holes[].registerForms":
        "What most numbers in the registers of the country are made of; empty if it is not known.",
      "holes[].message": "The same for people.",
      "registers[].awaited":
        "The first ten PSPs that the last fetch lacks, of a source that no longer has who is withdrawn. They stay until a second fetch agrees.",
      "registers[].dated":
        "What `published` is: `publication`; or `fetch`, where the source does not say when it published it. Null if nothing is loaded.",
      crls: "The revocation lists that are kept.",
      "crls.loaded": "How many.",
      "crls.nextUpdate": "The earliest next update of one; null if there is none.",
      ...refresh("crls.refresh"),
      warnings: "What is wrong with the service's configuration, in sentences.",
    },
  },
};
