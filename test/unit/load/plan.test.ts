/** The PSPs of a load run: all that can be the matter with one has to occur. */
import { expect, test } from "vitest";
import { CATEGORIES, CERTIFICATES, isEntitled, planCertificate } from "../../load/world/plan.ts";

const PLANS = Array.from({ length: CERTIFICATES }, (_, index) => planCertificate(index));

test("each fault meets each standing", () => {
  const faults = ["expired", "revoked", "unlisted", null];
  const met = new Set(PLANS.map(({ fault, standing }) => `${fault} ${standing}`));
  expect(met).toEqual(
    new Set(faults.flatMap((fault) => Object.keys(CATEGORIES).map((standing) => `${fault} ${standing}`))),
  );
});

test("most certificates are good, and PSPs of each standing are in the host register or not", () => {
  expect(PLANS.filter(({ fault }) => fault === null).length).toBeGreaterThan(CERTIFICATES * 0.8);
  expect(PLANS.some(({ standing, inHostRegister }) => standing === "both" && inHostRegister)).toBe(true);
  expect(PLANS.some(({ standing, inHostRegister }) => standing === "both" && !inHostRegister)).toBe(true);
  expect(PLANS.some(({ standing, inHostRegister }) => standing === "absent" && inHostRegister)).toBe(false);
});

test("only a good certificate of a PSP that its register authorises for the service gets a token", () => {
  for (const scope of ["payments", "accounts"] as const)
    for (const plan of PLANS.filter((plan) => isEntitled(plan, scope))) {
      const service = scope === "payments" ? 7 : 8;
      expect(plan.fault).toBeNull();
      expect(
        CATEGORIES[plan.standing].some(
          ({ status, services }) => status !== "Unauthorised" && services.includes(service),
        ),
      ).toBe(true);
    }
  expect(PLANS.filter((plan) => isEntitled(plan, "accounts")).length).toBeGreaterThan(
    PLANS.filter((plan) => isEntitled(plan, "payments")).length,
  );
});
