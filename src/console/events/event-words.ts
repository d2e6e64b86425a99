/** An event in words, for the people who act on it. Pure. */
import type { EventType, WrittenEvent } from "../../events/event.ts";
import type { IssuerStanding } from "../../events/issuers.ts";
import type { MetStanding } from "../../events/met-standing.ts";
import type { PspStanding } from "../../events/standing.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { longCountryName } from "../check/jurisdictions.ts";
import type { State } from "../elements.tsx";

export const TYPE_WORDS: Readonly<Record<EventType, string>> = {
  "psp.status_changed": "What a PSP may do has changed",
  "psp.certificate_revoked": "A certificate of a PSP was revoked",
  "psp.code_used_twice": "A code of a PSP was used twice",
  "psp.certificate_ends_soon": "A certificate of a PSP ends soon",
  "psp.first_seen": "A PSP was here for the first time",
  "qtsp.withdrawn": "The issuer of a PSP's certificates was withdrawn",
  "source.stale": "A source is out of date",
  "webhook.test": "A test of a webhook",
};

/** In a few words, and as the end of a sentence. */
export const STANDING_WORDS: Readonly<Record<MetStanding, readonly [State, string]>> = {
  authorised: ["yes", "Authorised"],
  lost: ["no", "Lost its authorisation"],
  absent: ["warn", "Not in its home register under this number"],
  unknown: ["unknown", "Its home register is not loaded, or does not say"],
};

/** In the place of a day, of a PSP whose certificates were all refused. */
export const NONE_ACCEPTED = "none accepted";

type RegisterStanding = PspStanding["register"];
type Category = RegisterStanding["categories"][number];

/** One sentence or more. What the service wrote itself is read as it wrote it. */
export function describeNews({ type, data: { before, after } }: WrittenEvent): string[] {
  switch (type) {
    case "psp.status_changed":
      return compareRegisters(before as RegisterStanding, after as RegisterStanding);
    case "psp.certificate_revoked":
      return [`A check found the certificate ${(after as { certificate: string }).certificate} revoked by its issuer.`];
    case "psp.code_used_twice": {
      const { permission_id } = after as { permission_id: string | null };
      return [
        "A code was used a second time: somebody else may have it. The token that it had given works no more.",
        ...(permission_id === null ? [] : [`It belonged to the permission ${permission_id}.`]),
      ];
    }
    case "qtsp.withdrawn": {
      const { service, jurisdiction, status, reason } = after as IssuerStanding;
      return [
        `The service “${service}” on the list of ${jurisdiction} was ${(before as IssuerStanding).status} and is ${status}: certificates that it issued to this PSP are not valid any more.`,
        ...(reason === undefined ? [] : [`A check says: ${reason}.`]),
      ];
    }
    case "psp.certificate_ends_soon": {
      const { not_after, days } = after as { not_after: string; days: number };
      return [
        `Its certificate ends on ${not_after}, in ${days === 1 ? "a day" : `${days} days`} or less. It has shown no certificate here that ends later.`,
      ];
    }
    case "psp.first_seen": {
      const { name, standing } = after as { name: string | null; standing: MetStanding };
      return [`Its certificate names ${name ?? "nobody"}. ${STANDING_WORDS[standing][1]}.`];
    }
    case "source.stale": {
      const { source, jurisdiction } = after as { source: string; jurisdiction: string };
      return [
        `What is loaded of ${source} for ${jurisdiction} is older than it should be: decisions rest on it nevertheless.`,
      ];
    }
    case "webhook.test":
      return ["Nothing has happened: somebody tested whether deliveries arrive."];
  }
}

function compareRegisters(before: RegisterStanding, after: RegisterStanding): string[] {
  if (before.ambiguous !== after.ambiguous)
    return [
      after.ambiguous
        ? "Several entries of the register have its number now, so none of them counts."
        : "One entry of the register has its number now: it counts again.",
    ];
  const names = new Set([...before.categories, ...after.categories].map(({ category }) => category));
  const sentences = [...names].flatMap((name) => compareCategory(name, ofName(before, name), ofName(after, name)));
  return sentences.length > 0 ? sentences : ["Its entries in the register have changed."];
}

/** Of several of a name the register does not say which is which. */
const ofName = ({ categories }: RegisterStanding, name: string): Category | null =>
  categories.find(({ category }) => category === name) ?? null;

function compareCategory(name: string, before: Category | null, after: Category | null): string[] {
  if (!after) return [`As ${name} it is not in the register any more.`];
  if (!before) return [`As ${name} it is in the register now, ${after.status ?? "without a status"}.`];
  const status = (category: Category): string => category.status ?? "without a status";
  return [
    ...(before.status === after.status ? [] : [`As ${name} it was ${status(before)} and is ${status(after)}.`]),
    ...compareServices(before.payment_services, after.payment_services).map((change) => `As ${name} it ${change}.`),
    ...comparePassports(before.passports, after.passports).map((change) => `As ${name} it ${change}.`),
  ];
}

/** The countries of one change together: who loses an authorisation loses up to thirty passports with it. */
function comparePassports(before: Category["passports"], after: Category["passports"]): string[] {
  const places = new Map<string, string[]>();
  for (const country of new Set([...Object.keys(before), ...Object.keys(after)]))
    for (const change of compareServices(before[country] ?? [], after[country] ?? []))
      places.set(change, [...(places.get(change) ?? []), longCountryName(country)]);
  return [...places].map(([change, countries]) => `${change} in ${COUNTRIES.format(countries)}`);
}

const COUNTRIES = new Intl.ListFormat("en-GB");

function compareServices(before: readonly number[], after: readonly number[]): string[] {
  const lost = before.filter((service) => !after.includes(service));
  const gained = after.filter((service) => !before.includes(service));
  return [
    ...(lost.length > 0 ? [`lost ${nameServices(lost)}`] : []),
    ...(gained.length > 0 ? [`gained ${nameServices(gained)}`] : []),
  ];
}

const nameServices = (services: readonly number[]): string =>
  `payment service${services.length === 1 ? "" : "s"} ${services.join(", ")}`;

export const EVENTS = "/console/events";
export const ACKNOWLEDGE = `${EVENTS}/acknowledge`;
export const REPLAY = `${EVENTS}/replay`;
export const WEBHOOKS = CONSOLE_FORMS.webhookAddition.path;
