/**
 * GET /v1/psp/eidas of any certificate of the plan, for the home and the host country, in both versions. The verdicts
 * and the decision follow from the plan. All else has to be the same each time that the same is asked.
 */
import { VERSION } from "../../../src/platform/version.ts";
import { Form, instantFrom, Part } from "../answer-difference.ts";
import type { Bank } from "../bank.ts";
import type { Exchange } from "../connection.ts";
import { CATEGORIES, CERTIFICATES, HOME, HOST, isEntitled, planCertificate } from "../world/plan.ts";

interface Check {
  readonly evidence?: { readonly oldest: object };
}

/** The first answer to each question of this thread's banks. */
const FIRST = new Map<string, Check>();

export async function checkPsp(bank: Bank): Promise<void> {
  const index = Math.floor(bank.random() * CERTIFICATES);
  const jurisdiction = bank.random() < 0.5 ? HOME : HOST;
  const version = bank.drawVersion();
  const question = `${index} ${jurisdiction} ${version}`;
  const { body } = await bank.ask(
    {
      method: "GET",
      path: `/v1/psp/eidas?jurisdiction=${jurisdiction.toLowerCase()}`,
      headers: { ...bank.identity, version, eidas: bank.world.certificates[index]?.base64 ?? "" },
    },
    (exchange) => {
      const first = FIRST.get(question);
      return {
        status: 200,
        body:
          first === undefined
            ? expectedByPlan(bank, index, jurisdiction, version === "latest" ? exchange : null)
            : expectedAgain(first, exchange),
      };
    },
  );
  if (!FIRST.has(question)) FIRST.set(question, body as Check);
}

/** `latest`: the exchange, if the answer is in version `latest`. */
function expectedByPlan(bank: Bank, index: number, jurisdiction: string, latest: Exchange | null): Part {
  const plan = planCertificate(index);
  const { fault, pspId, legalName, standing } = plan;
  const passported = (service: number) =>
    jurisdiction === HOME || CATEGORIES[standing].some((category) => category.passported.includes(service));
  return new Part({
    eIDAS: new Part({
      validity: {
        validQTSP: fault !== "unlisted",
        validSignature: fault !== "unlisted" && fault !== "expired",
        notRevoked: fault === null,
        notExpired: fault !== "expired",
      },
      data: new Part({ authNumber: pspId, pspSubjectName: legalName }),
    }),
    homeRegister: new Part({
      ncaCountryCode: HOME,
      categoryEntries: CATEGORIES[standing].map(
        ({ category, status }) => new Part({ categoryName: category, pspLegalName: legalName, pspAuthStatus: status }),
      ),
    }),
    ...(jurisdiction === HOST && { hostRegister: new Part({ ncaCountryCode: HOST, registerType: "Host" }) }),
    ...(latest && {
      decision: {
        payments: new Part({ allowed: isEntitled(plan, "payments") && passported(7) }),
        accounts: new Part({ allowed: isEntitled(plan, "accounts") && passported(8) }),
      },
      evidence: new Part({
        ...ofThisAnswer(latest),
        release: VERSION,
        certificate: bank.world.certificates[index]?.sha256,
        oldest: new Part({ age_seconds: AGE }),
      }),
    }),
  });
}

const AGE = new Form("seconds", (value) => Number.isInteger(value) && Number(value) >= 0);

const ofThisAnswer = ({ headers, sentAt, receivedAt }: Exchange) => ({
  id: headers["x-evidence-id"],
  checked_at: instantFrom(sentAt, receivedAt),
});

const expectedAgain = ({ evidence, ...rest }: Check, exchange: Exchange): object => ({
  ...rest,
  ...(evidence && {
    evidence: { ...evidence, ...ofThisAnswer(exchange), oldest: { ...evidence.oldest, age_seconds: AGE } },
  }),
});
