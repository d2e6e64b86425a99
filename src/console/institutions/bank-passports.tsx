/** How an institution takes banks of other countries, whose passports are published nowhere, and how that is chosen. */
import type { FinancialInstitution } from "../../institutions/financial-institutions.ts";
import { Mark } from "../elements.tsx";

export function BankPassports({
  fiReferenceId,
  bankPassports,
  isOperator = false,
}: Pick<FinancialInstitution, "fiReferenceId" | "bankPassports"> & { readonly isOperator?: boolean }) {
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
      refused.{" "}
      {isOperator ? (
        <>
          Choose: <code>fi set --reference {fiReferenceId} --bank-passports accept</code>, or <code>refuse</code>.
        </>
      ) : (
        "Your institution may accept them nevertheless: ask the operator of this service."
      )}
    </p>
  );
}
