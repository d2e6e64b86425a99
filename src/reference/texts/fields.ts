/** The texts of all fields, by schema and path; a dot goes into an object, `[]` into the elements of a list. */

import { ACCOUNT_ANSWERS, ACCOUNT_REQUESTS } from "./accounts.ts";
import { AUDIT_ANSWERS } from "./audit.ts";
import { CORE_ANSWERS, CORE_REQUESTS } from "./core-flow.ts";
import { EVENT_ANSWERS } from "./events.ts";
import { OPEN_BANKING_ANSWERS, OPEN_BANKING_REQUESTS } from "./open-banking-flow.ts";
import { OPERATION_ANSWERS } from "./operation.ts";
import { PSP_CHECK_ANSWERS, PSP_CHECK_REQUESTS } from "./psp-check.ts";
import type { FieldTexts } from "./shared.ts";

export const REQUEST_TEXTS: Readonly<Record<string, FieldTexts>> = {
  ...CORE_REQUESTS,
  ...OPEN_BANKING_REQUESTS,
  ...PSP_CHECK_REQUESTS,
  ...ACCOUNT_REQUESTS,
};

export const ANSWER_TEXTS: Readonly<Record<string, FieldTexts>> = {
  ...CORE_ANSWERS,
  ...OPEN_BANKING_ANSWERS,
  ...PSP_CHECK_ANSWERS,
  ...ACCOUNT_ANSWERS,
  ...AUDIT_ANSWERS,
  ...EVENT_ANSWERS,
  ...OPERATION_ANSWERS,
};
