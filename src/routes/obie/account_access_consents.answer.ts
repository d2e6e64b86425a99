/** Account access consents. */
import * as z from "zod";
import { PERMISSIONS } from "../../grants/permission.ts";
import { instant, list } from "../../http/answer-fields.ts";

const accountAccess = z.object({
  consent_id: z.string(),
  // one that is deleted or expired is not shown any more
  status: z.enum(["AwaitingAuthorisation", "Authorised"]),
  status_update_date_time: instant,
  creation_date_time: instant,
  permissions: list(z.enum(PERMISSIONS)),
  expiration_date_time: instant.optional(),
  transaction_from_date_time: instant.optional(),
  transaction_to_date_time: instant.optional(),
});
export const accountAccessConsent = z.object({ data: accountAccess });
/** Of its creation with version `latest`: the warning says that MAX_CONSENT_DAYS cut its expiration. */
export const accountAccessConsentLatest = z.object({ data: accountAccess.extend({ warning: z.string().optional() }) });
export type AccountAccessConsent = z.output<typeof accountAccessConsentLatest>;
