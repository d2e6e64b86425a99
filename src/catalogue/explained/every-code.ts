/** The explanations of all codes of the catalogue. Not for the Worker: it would carry 13 KiB that it never uses. */
import type { ErrorCode } from "../../error-catalogue.ts";
import { ACCOUNT_PARAMETERS_EXPLAINED } from "./account-parameters.ts";
import { AUDIT_EXPLAINED } from "./audit.ts";
import { CODE_PARAMETERS_EXPLAINED } from "./code-parameters.ts";
import { CONSENT_PARAMETERS_EXPLAINED } from "./consent-parameters.ts";
import { EVENTS_EXPLAINED } from "./events.ts";
import type { Explanation } from "./explanation.ts";
import { GRANTS_EXPLAINED } from "./grants.ts";
import { PAYMENT_PARAMETERS_EXPLAINED } from "./payment-parameters.ts";
import { PSPS_EXPLAINED } from "./psps.ts";
import { REQUESTS_EXPLAINED } from "./requests.ts";
import { SERVICE_EXPLAINED } from "./service.ts";

export const EXPLANATIONS: Readonly<Record<ErrorCode, Explanation>> = {
  ...REQUESTS_EXPLAINED,
  ...PSPS_EXPLAINED,
  ...GRANTS_EXPLAINED,
  ...CODE_PARAMETERS_EXPLAINED,
  ...CONSENT_PARAMETERS_EXPLAINED,
  ...PAYMENT_PARAMETERS_EXPLAINED,
  ...ACCOUNT_PARAMETERS_EXPLAINED,
  ...AUDIT_EXPLAINED,
  ...EVENTS_EXPLAINED,
  ...SERVICE_EXPLAINED,
};
