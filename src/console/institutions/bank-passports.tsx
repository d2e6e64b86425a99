/** How an institution takes banks of other countries, whose passports are published nowhere, and how that is chosen. */
import type { FinancialInstitution } from "../../institutions/financial-institutions.ts";
import { Mark } from "../elements.tsx";

export function BankPassports({
  fiReferenceId,
  bankPassports,
}: Pick<FinancialInstitution, "fiReferenceId" | "bankPassports">) {
  if (bankPassports !== null)
    return (
      <p class="muted">
        {bankPassports === "accept"
          ? "A bank's authorisation in another EEA state is accepted"
          : "A bank's authorisation in another EEA state alone is not accepted"}
        : passports of banks are published nowhere.
      </p>
    );
  return (
    <p>
      <Mark state="warn">Never chosen</Mark> Passports of banks are published nowhere, so a bank of another EEA state is
      refused. The operator may choose: <code>fi set --reference {fiReferenceId} --bank-passports accept</code>, or{" "}
      <code>refuse</code>.
    </p>
  );
}
