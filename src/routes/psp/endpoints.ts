/** The rows of PSP checks. */
import { acts, type Endpoint, notKnown, own, row, unsure } from "../../http/endpoint.ts";

export const PSP_CHECKS: readonly Endpoint[] = [
  { ...row("GET", "/v1/psp/eidas", 200, 401, 404), event: "psp.checked" },
  // not in the interface: many at once. 50 certificates, each with several issuers
  own({ ...acts("POST", "/v1/psp/checks", "psps.checked", 200, 400, 401), maxBodyKib: 1024 }),
  // not in the interface: a PSP's request that its QSealC has signed
  own(
    unsure(
      notKnown("the id of a request for which replay is refused was taken"),
      acts("POST", "/v1/psp/signatures", "psp.checked", 200, 400, 401),
    ),
  ),
];
