/**
 * What a permission allows, in words for the customer: permissions of account information in the groups that UK Open
 * Banking shows to customers ("data clusters" of its customer experience guidelines), a payment order in sentences. Pure.
 */
import type { PERMISSIONS, Permission } from "./permission.ts";

export interface DataWords {
  readonly group: string;
  readonly words: readonly string[];
}

type Code = (typeof PERMISSIONS)[number];

/** Where both are given, the detailed permission holds the basic one: only its words are shown. */
const GROUPS: readonly { group: string; words: readonly (readonly [Code, string, detail?: Code])[] }[] = [
  {
    group: "Your account details",
    words: [
      [
        "ReadAccountsBasic",
        "The kind and currency of your account, and the name that you gave it",
        "ReadAccountsDetail",
      ],
      ["ReadAccountsDetail", "Your account's name and number, its kind and currency"],
      ["ReadBalances", "Your account balance"],
      ["ReadPAN", "Your card number"],
    ],
  },
  {
    group: "Your regular payments",
    words: [
      ["ReadBeneficiariesBasic", "Payees that you have set up", "ReadBeneficiariesDetail"],
      ["ReadBeneficiariesDetail", "Payees that you have set up, with their account details"],
      ["ReadStandingOrdersBasic", "Your standing orders", "ReadStandingOrdersDetail"],
      ["ReadStandingOrdersDetail", "Your standing orders, with the payees' account details"],
      ["ReadDirectDebits", "Your direct debits"],
      ["ReadScheduledPaymentsBasic", "Payments that you have scheduled", "ReadScheduledPaymentsDetail"],
      ["ReadScheduledPaymentsDetail", "Payments that you have scheduled, with the payees' account details"],
    ],
  },
  { group: "Your account transactions", words: [] },
  {
    group: "Your statements",
    words: [
      ["ReadStatementsBasic", "Information in your statements", "ReadStatementsDetail"],
      ["ReadStatementsDetail", "Your statements in detail"],
    ],
  },
  {
    group: "Your account features and benefits",
    words: [
      ["ReadProducts", "The product that your account is: fees, charges, interest, benefits"],
      ["ReadOffers", "Offers that are available on your account"],
    ],
  },
  {
    group: "Contact and party details",
    words: [
      ["ReadParty", "The names and contact details of the account's holders"],
      ["ReadPartyPSU", "Your own name and contact details"],
    ],
  },
];
const TRANSACTIONS = "Your account transactions";

export function describeData({ scope, access, initiation }: Permission): DataWords[] {
  if (access) return describeAccess(access.permissions);
  if (isObject(initiation)) return [{ group: "One payment", words: describePaymentOrder(initiation) }];
  return [NO_CONSENT[scope]];
}

/** Tokens that came without a consent: nothing says which data. */
const NO_CONSENT: Readonly<Record<Permission["scope"], DataWords>> = {
  accounts: { group: "Your account", words: ["Account information, without a list of what"] },
  payments: {
    group: "Payments",
    words: ["Payments from your account, without a payment order that was agreed before"],
  },
};

function describeAccess(permissions: readonly string[]): DataWords[] {
  const given = new Set(permissions);
  return GROUPS.map(({ group, words }) => ({
    group,
    words:
      group === TRANSACTIONS
        ? describeTransactions(given)
        : words.flatMap(([code, text, detail]) =>
            given.has(code) && !(detail !== undefined && given.has(detail)) ? [text] : [],
          ),
  })).filter(({ words }) => words.length > 0);
}

/** Credits and Debits say which transactions, Basic and Detail how much of them. */
function describeTransactions(given: ReadonlySet<string>): string[] {
  const [credits, debits] = [given.has("ReadTransactionsCredits"), given.has("ReadTransactionsDebits")];
  const detail = given.has("ReadTransactionsDetail");
  if (!detail && !given.has("ReadTransactionsBasic") && !credits && !debits) return [];
  const which = credits === debits ? "Your incoming and outgoing" : credits ? "Your incoming" : "Your outgoing";
  return [`${which} transactions${detail ? " in detail" : ""}`];
}

/** The fields of a payment order that a customer knows. */
function describePaymentOrder(order: object): string[] {
  const { instructed_amount, creditor_account, debtor_account, remittance_information } = order as Order;
  const { unstructured, reference } = remittance_information ?? {};
  const amount = instructed_amount && `${instructed_amount.amount} ${instructed_amount.currency}`;
  return [
    [amount, creditor_account && `to ${describeAccount(creditor_account)}`].filter(Boolean).join(" "),
    debtor_account ? `From ${describeAccount(debtor_account)}` : "",
    unstructured ? `Message: ${unstructured}` : "",
    reference ? `Reference: ${reference}` : "",
  ].filter((words) => words !== "");
}

/** As grants/payment-initiation.ts takes it. */
interface Order {
  readonly instructed_amount?: { readonly amount: string; readonly currency: string };
  readonly creditor_account?: PaymentAccount;
  readonly debtor_account?: PaymentAccount | null;
  readonly remittance_information?: { readonly unstructured?: string; readonly reference?: string } | null;
}

interface PaymentAccount {
  readonly scheme_name: string;
  readonly identification: string;
  readonly name?: string | null;
}

function describeAccount({ scheme_name, identification, name }: PaymentAccount): string {
  const account = `${scheme_name} ${identification}`;
  return name ? `${name} (${account})` : account;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
