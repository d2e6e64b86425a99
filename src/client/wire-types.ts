// Made from the service's OpenAPI document by `npm run client:types`, with openapi-typescript: not to be edited.

export interface components {
    schemas: {
        readonly CoreCodeRequest: {
            /** @description The bank's identifier of the customer's account, never given to another one: 1 to 256 characters without control characters, not `.` or `..`. */
            readonly account_id: string;
            /** @description The parameters of the PSP's authorization request, percent-decoded. */
            readonly client_request_query_parameters: {
                /**
                 * @description Always `code`: other OAuth flows are not supported.
                 * @constant
                 */
                readonly response_type: "code";
                /**
                 * Format: uri
                 * @description Where the PSP wants the customer back, as it registered it: an absolute https URI of at most 2,048 characters, without fragment, credentials, and the parameters that this service adds. Compared and returned character by character. The operator may allow URIs of native apps (RFC 8252).
                 */
                readonly redirect_uri: string;
                /** @description What the PSP asks for: `payments` (payment service 7, payment initiation) or `accounts` (8, account information). Any other text is refused by the redirect record (403). */
                readonly scope: string;
                /** @description The PSP's own value against forged requests, at most 2,048 characters; it is returned unchanged. Absent if the PSP sent none. */
                readonly state?: string | null;
            };
        };
        readonly CoreTokenRequest: {
            /** @description The bank's identifier of the customer's account, never given to another one: 1 to 256 characters without control characters, not `.` or `..`. Required with `authorization_code`: that of the request for the code. */
            readonly account_id?: string | null;
            /** @description The parameters of the PSP's token request. */
            readonly client_request_query_parameters: {
                /**
                 * @description `authorization_code` exchanges a code; `client_credentials` gives a fixed token without access, and needs no other field.
                 * @constant
                 */
                readonly grant_type: "authorization_code";
                /** @description The code of the redirect, within 60 seconds and once: at most 512 characters. */
                readonly code: string;
                /**
                 * Format: uri
                 * @description The same text as in the request for the code.
                 */
                readonly redirect_uri: string;
            } | {
                /**
                 * @description `authorization_code` exchanges a code; `client_credentials` gives a fixed token without access, and needs no other field.
                 * @constant
                 */
                readonly grant_type: "client_credentials";
                /** @description `payments` or `accounts` chooses the scope of the answer. Any other value is ignored: the answer is of the first of the two that the PSP may use. */
                readonly scope?: unknown;
            };
        };
        readonly CcgTokenRequest: {
            /** @description The PSP's certificate, in the form of the header `eidas`: base64 of the DER. PEM and the issuers after it are taken, too. */
            readonly eIDAS: string;
            /**
             * @description What the PSP asks for: `payments` (payment service 7, payment initiation) or `accounts` (8, account information).
             * @enum {string}
             */
            readonly scope: "payments" | "accounts";
        };
        readonly OpenBankingCodeRequest: {
            /** @description The consent that the customer authorised: of account access for `accounts`, of a payment order for `payments`. At most 128 characters. */
            readonly consent_id: string;
            /** @description The bank's identifier of the customer's account, never given to another one: 1 to 256 characters without control characters, not `.` or `..`. */
            readonly psu_account_id: string;
            /**
             * Format: uri
             * @description Where the PSP wants the customer back, as it registered it: an absolute https URI of at most 2,048 characters, without fragment, credentials, and the parameters that this service adds. Compared and returned character by character. The operator may allow URIs of native apps (RFC 8252).
             */
            readonly redirect_uri: string;
            /** @description What the PSP asks for: `payments` (payment service 7, payment initiation) or `accounts` (8, account information). Any other text is refused by the redirect record (403). */
            readonly scope: string;
            /** @description The PSP's own value against forged requests, at most 2,048 characters; it is returned unchanged. Absent if the PSP sent none. */
            readonly state?: string | null;
        };
        readonly OpenBankingTokenRequest: {
            /** @description The code of the redirect, within 60 seconds and once: at most 512 characters. */
            readonly auth_code: string;
            /**
             * Format: uri
             * @description The same text as in the request for the code.
             */
            readonly redirect_uri: string;
        };
        readonly AccountAccessConsentRequest: {
            /** @description The consent. */
            readonly data: {
                /** @description What the PSP wants to read: words of UK Open Banking, each once. */
                readonly permissions: readonly ("ReadAccountsBasic" | "ReadAccountsDetail" | "ReadBalances" | "ReadBeneficiariesBasic" | "ReadBeneficiariesDetail" | "ReadDirectDebits" | "ReadOffers" | "ReadPAN" | "ReadParty" | "ReadPartyPSU" | "ReadProducts" | "ReadScheduledPaymentsBasic" | "ReadScheduledPaymentsDetail" | "ReadStandingOrdersBasic" | "ReadStandingOrdersDetail" | "ReadStatementsBasic" | "ReadStatementsDetail" | "ReadTransactionsBasic" | "ReadTransactionsCredits" | "ReadTransactionsDebits" | "ReadTransactionsDetail")[];
                /** @description When the consent ends: in the future. Null, an empty string or no member at all: open ended. Else it is a calendar date, a time of day and an offset from UTC, in the extended or the basic form of ISO 8601: `2030-01-01T00:00:00Z`, `20300101T020000+0200`. The seconds, their fraction of up to nine digits, and the minutes of the offset may be left out; a day that does not exist is refused. */
                readonly expiration_date_time?: string | null;
                /** @description The first instant of which transactions may be read. Null, an empty string or no member at all: open ended. Else it is a calendar date, a time of day and an offset from UTC, in the extended or the basic form of ISO 8601: `2030-01-01T00:00:00Z`, `20300101T020000+0200`. The seconds, their fraction of up to nine digits, and the minutes of the offset may be left out; a day that does not exist is refused. */
                readonly transaction_from_date_time?: string | null;
                /** @description The last one; not before the first. Null, an empty string or no member at all: open ended. Else it is a calendar date, a time of day and an offset from UTC, in the extended or the basic form of ISO 8601: `2030-01-01T00:00:00Z`, `20300101T020000+0200`. The seconds, their fraction of up to nine digits, and the minutes of the offset may be left out; a day that does not exist is refused. */
                readonly transaction_to_date_time?: string | null;
            };
        };
        readonly PaymentOrderConsentRequest: {
            /** @description The consent. */
            readonly data: {
                /** @description The payment: UK Open Banking's domestic payment initiation in snake case. */
                readonly initiation: {
                    /** @description The PSP's own id of the instruction: at most 35 characters. */
                    readonly instruction_identification: string;
                    /** @description An id that travels with the payment to the payee: at most 35 characters. */
                    readonly end_to_end_identification: string;
                    /** @description What is paid. */
                    readonly instructed_amount: {
                        /** @description A decimal string above zero, such as 165.88: at most 13 digits before the point, and as many after it as the currency has. */
                        readonly amount: string;
                        /** @description A currency of ISO 4217 in capitals. */
                        readonly currency: string;
                    };
                    /** @description The payer's account. Absent: the customer chooses it. */
                    readonly debtor_account?: {
                        /** @description The kind of number in `identification`, such as IBAN: at most 40 characters. */
                        readonly scheme_name: string;
                        /** @description The account's number: at most 256 characters. */
                        readonly identification: string;
                        /** @description The name of the account's holder: at most 350 characters. */
                        readonly name?: string | null;
                    } | null;
                    /** @description The payee's account. Its name is required. */
                    readonly creditor_account: {
                        /** @description The kind of number in `identification`, such as IBAN: at most 40 characters. */
                        readonly scheme_name: string;
                        /** @description The account's number: at most 256 characters. */
                        readonly identification: string;
                        /** @description The name of the account's holder: at most 350 characters. */
                        readonly name: string;
                    };
                    /** @description What the payee should know. */
                    readonly remittance_information?: {
                        /** @description A message: at most 140 characters. */
                        readonly unstructured?: string | null;
                        /** @description The payee's reference: at most 35 characters. */
                        readonly reference?: string | null;
                    } | null;
                };
            };
        };
        readonly PspChecksRequest: {
            /** @description What is checked, in the order of the answer: 1 to 50. Each counts as a request in the limit. */
            readonly checks: readonly {
                /** @description The bank's own name for it, given back: at most 128 characters. */
                readonly id?: string | null;
                /** @description The certificate, in the form of the header `eidas`. */
                readonly eIDAS: string;
                /** @description Countries where the bank holds accounts: 1 to 31, as at GET /v1/psp/eidas. */
                readonly jurisdictions: readonly string[];
            }[];
        };
        readonly IntrospectionRequest: {
            /** @description The token that a PSP has shown, at most 8,192 characters. Other parameters of RFC 7662 are ignored. */
            readonly token: string;
        };
        readonly AccountBlockRequest: {
            /** @description What is blocked, each scope once. One that is not named is free again. To lift the whole block: DELETE. */
            readonly scopes: readonly ("payments" | "accounts")[];
        };
        readonly WatchRequest: {
            readonly [key: string]: unknown;
        };
        readonly RedirectRecord: {
            /** @description The record itself. */
            readonly data: {
                /** @description The address to which the bank sends the customer, and its parts. */
                readonly redirect_uri: {
                    /** @description The redirect URI of the request. */
                    readonly base_uri: string;
                    /** @description What is added to the query of the redirect URI. */
                    readonly parameters: {
                        /** @description The authorization code: for 60 seconds, for one exchange. */
                        readonly code: string;
                        /** @description The state of the request. Absent if it had none. */
                        readonly state?: string;
                    };
                    /** @description The whole address, percent-encoded: send the customer there. */
                    readonly full_uri: string;
                };
            };
        };
        readonly RefusedRedirectRecord: {
            /** @description The record itself. */
            readonly data: {
                /** @description The address to which the bank sends the customer, and its parts. */
                readonly redirect_uri: {
                    /** @description The redirect URI of the request; in this form the key ends in `url`. */
                    readonly base_url: string;
                    /** @description What is added to the query of the redirect URI. */
                    readonly parameters: {
                        /**
                         * @description OAuth's error for the PSP (RFC 6749 section 4.1.2.1): `invalid_scope` if it may not use the scope, `access_denied` if the consent or the bank does not allow it.
                         * @enum {string}
                         */
                        readonly error: "invalid_scope" | "access_denied";
                        /** @description The reason for the PSP's developers, in ASCII. */
                        readonly error_description: string;
                        /** @description The state of the request. Absent if it had none. */
                        readonly state?: string;
                    };
                    /** @description The whole address, percent-encoded: send the customer there. */
                    readonly full_uri: string;
                };
            };
            /** @description The same refusal for the bank. */
            readonly errors: readonly {
                /** @description The id of the request, as in the header x-request-id and in the service's log. */
                readonly id: string;
                /** @description What is wrong, for programs. Codes are stable. */
                readonly code: string;
                /** @description What is wrong, for people: it names the parameter and says what is expected. */
                readonly title: string;
                /** @description The code's entry in the error reference: rule, usual cause, cure. */
                readonly link: string;
            }[];
        };
        readonly AccessToken: {
            /** @description The record itself. */
            readonly data: {
                /** @description The token that the PSP shows to the bank. With `client_credentials` always `good-access-token`. */
                readonly access_token: string;
                /** @description Seconds for which it is valid from now on. */
                readonly expires_in: number;
                /**
                 * @description Always `bearer` (RFC 6750).
                 * @constant
                 */
                readonly token_type: "bearer";
                /**
                 * @description What the token is for: `payments` or `accounts`.
                 * @enum {string}
                 */
                readonly scope: "payments" | "accounts";
            };
        };
        readonly TokenRecord: {
            /** @description The record itself. */
            readonly data: {
                /** @description The access token. If the key that it was made with was removed, a text that only identifies it. */
                readonly token: string;
                /** @description False if it is expired or revoked, or while its account is blocked for its scope. */
                readonly active: boolean;
                /** @description The authorisation number of the PSP in its normal form: `PSD`, the home country, its authority, its reference there. */
                readonly psp_id: string;
                /** @description The account that it gives access to. */
                readonly account_id: string;
                /**
                 * @description `payments` or `accounts`.
                 * @enum {string}
                 */
                readonly scope: "payments" | "accounts";
                /** @description When it expires: seconds since 1970. */
                readonly exp: number;
                /** @description When it was issued: seconds since 1970. */
                readonly iat: number;
                /** @description When it was revoked: seconds since 1970. Null if it was not. */
                readonly revoked_at: number | null;
            };
        };
        readonly TokenRecordLatest: {
            /** @description The record itself. */
            readonly data: {
                /** @description The access token. If the key that it was made with was removed, a text that only identifies it. */
                readonly token: string;
                /** @description False if it is expired or revoked, or while its account is blocked for its scope. */
                readonly active: boolean;
                /** @description The authorisation number of the PSP in its normal form: `PSD`, the home country, its authority, its reference there. */
                readonly psp_id: string;
                /** @description The account that it gives access to. */
                readonly account_id: string;
                /**
                 * @description `payments` or `accounts`.
                 * @enum {string}
                 */
                readonly scope: "payments" | "accounts";
                /** @description When it expires: seconds since 1970. */
                readonly exp: number;
                /** @description When it was issued: seconds since 1970. */
                readonly iat: number;
                /** @description When it was revoked: seconds since 1970. Null if it was not. */
                readonly revoked_at: number | null;
                /** @description The token is active, but the PSP's home register does not give it the payment service any more, or could not be read. Only with version `latest`. */
                readonly warning?: string;
            };
        };
        readonly TokenList: {
            /** @description One page: active tokens first, then those that have ended; of each the one with the latest `exp` first. One that only a block makes inactive stands among the active ones. Empty if there are none. */
            readonly data: readonly {
                /** @description The access token. If the key that it was made with was removed, a text that only identifies it. */
                readonly token: string;
                /** @description False if it is expired or revoked, or while its account is blocked for its scope. */
                readonly active: boolean;
                /** @description The authorisation number of the PSP in its normal form: `PSD`, the home country, its authority, its reference there. */
                readonly psp_id: string;
                /** @description The account that it gives access to. */
                readonly account_id: string;
                /**
                 * @description `payments` or `accounts`.
                 * @enum {string}
                 */
                readonly scope: "payments" | "accounts";
                /** @description When it expires: seconds since 1970. */
                readonly exp: number;
                /** @description When it was issued: seconds since 1970. */
                readonly iat: number;
                /** @description When it was revoked: seconds since 1970. Null if it was not. */
                readonly revoked_at: number | null;
            }[];
        };
        readonly TokenListLatest: {
            /** @description One page: active tokens first, then those that have ended; of each the one with the latest `exp` first. One that only a block makes inactive stands among the active ones. Empty if there are none. */
            readonly data: readonly {
                /** @description The access token. If the key that it was made with was removed, a text that only identifies it. */
                readonly token: string;
                /** @description False if it is expired or revoked, or while its account is blocked for its scope. */
                readonly active: boolean;
                /** @description The authorisation number of the PSP in its normal form: `PSD`, the home country, its authority, its reference there. */
                readonly psp_id: string;
                /** @description The account that it gives access to. */
                readonly account_id: string;
                /**
                 * @description `payments` or `accounts`.
                 * @enum {string}
                 */
                readonly scope: "payments" | "accounts";
                /** @description When it expires: seconds since 1970. */
                readonly exp: number;
                /** @description When it was issued: seconds since 1970. */
                readonly iat: number;
                /** @description When it was revoked: seconds since 1970. Null if it was not. */
                readonly revoked_at: number | null;
                /** @description The token is active, but the PSP's home register does not give it the payment service any more, or could not be read. Only with version `latest`. */
                readonly warning?: string;
            }[];
        };
        readonly CcgToken: {
            /** @description The authorisation number of the PSP in its normal form: `PSD`, the home country, its authority, its reference there. */
            readonly psp_id: string;
            /** @description Goes into the header `ccg_token` of the requests for this PSP. */
            readonly access_token: string;
            /** @description Seconds for which it is valid from now on. Never longer than the certificate. */
            readonly expires_in: number;
            /**
             * @description Always `bearer` (RFC 6750).
             * @constant
             */
            readonly token_type: "bearer";
            /**
             * @description The scope that it stands for.
             * @enum {string}
             */
            readonly scope: "payments" | "accounts";
            /**
             * @description The payment service of the scope: 7 for `payments`, 8 for `accounts`.
             * @enum {number}
             */
            readonly payment_service_number: 7 | 8;
            /** @description Always true. */
            readonly active: boolean;
            /** @description The PSP does not have the payment service, by its certificate or its home register: it will get no code. */
            readonly warning?: string;
        };
        readonly OpenBankingAccessToken: {
            /** @description The record itself. */
            readonly data: {
                /** @description The token that the PSP shows to the bank. */
                readonly access_token: string;
                /** @description Seconds for which it is valid from now on. Never longer than the consent. */
                readonly expires_in: number;
                /**
                 * @description Always `bearer` (RFC 6750).
                 * @constant
                 */
                readonly token_type: "bearer";
                /** @description The state of the request for the code. Absent if it had none. */
                readonly state?: string;
            };
        };
        readonly TokenInformation: {
            /** @description The record itself. */
            readonly data: {
                /** @description The token of the request. */
                readonly access_token: string;
                /** @description Seconds for which it is still valid; 0 if it is not active. */
                readonly expires_in: number;
                /**
                 * @description Always `bearer` (RFC 6750).
                 * @constant
                 */
                readonly token_type: "bearer";
                /** @description False if it is expired or revoked, or while its account is blocked for its scope. */
                readonly active: boolean;
            };
        };
        readonly TokenInformationLatest: {
            /** @description The record itself. */
            readonly data: {
                /** @description The token of the request. */
                readonly access_token: string;
                /** @description Seconds for which it is still valid; 0 if it is not active. */
                readonly expires_in: number;
                /**
                 * @description Always `bearer` (RFC 6750).
                 * @constant
                 */
                readonly token_type: "bearer";
                /** @description False if it is expired or revoked, or while its account is blocked for its scope. */
                readonly active: boolean;
                /** @description The token is active, but the PSP's home register does not give it the payment service any more, or could not be read. Only with version `latest`. */
                readonly warning?: string;
            };
        };
        readonly AccountAccessConsent: {
            /** @description The record itself. */
            readonly data: {
                /** @description The id of the consent. */
                readonly consent_id: string;
                /**
                 * @description `AwaitingAuthorisation` until the customer's first authorization, then `Authorised`.
                 * @enum {string}
                 */
                readonly status: "AwaitingAuthorisation" | "Authorised";
                /**
                 * Format: date-time
                 * @description When `status` changed last.
                 */
                readonly status_update_date_time: string;
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                readonly creation_date_time: string;
                /** @description What the PSP may read, in the order of the request that created the consent. */
                readonly permissions: readonly ("ReadAccountsBasic" | "ReadAccountsDetail" | "ReadBalances" | "ReadBeneficiariesBasic" | "ReadBeneficiariesDetail" | "ReadDirectDebits" | "ReadOffers" | "ReadPAN" | "ReadParty" | "ReadPartyPSU" | "ReadProducts" | "ReadScheduledPaymentsBasic" | "ReadScheduledPaymentsDetail" | "ReadStandingOrdersBasic" | "ReadStandingOrdersDetail" | "ReadStatementsBasic" | "ReadStatementsDetail" | "ReadTransactionsBasic" | "ReadTransactionsCredits" | "ReadTransactionsDebits" | "ReadTransactionsDetail")[];
                /**
                 * Format: date-time
                 * @description When the consent ends. Absent: open ended.
                 */
                readonly expiration_date_time?: string;
                /**
                 * Format: date-time
                 * @description The first instant of which transactions may be read. Absent: the earliest.
                 */
                readonly transaction_from_date_time?: string;
                /**
                 * Format: date-time
                 * @description The last one. Absent: the latest.
                 */
                readonly transaction_to_date_time?: string;
            };
        };
        readonly AccountAccessConsentLatest: {
            /** @description The record itself. */
            readonly data: {
                /** @description The id of the consent. */
                readonly consent_id: string;
                /**
                 * @description `AwaitingAuthorisation` until the customer's first authorization, then `Authorised`.
                 * @enum {string}
                 */
                readonly status: "AwaitingAuthorisation" | "Authorised";
                /**
                 * Format: date-time
                 * @description When `status` changed last.
                 */
                readonly status_update_date_time: string;
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                readonly creation_date_time: string;
                /** @description What the PSP may read, in the order of the request that created the consent. */
                readonly permissions: readonly ("ReadAccountsBasic" | "ReadAccountsDetail" | "ReadBalances" | "ReadBeneficiariesBasic" | "ReadBeneficiariesDetail" | "ReadDirectDebits" | "ReadOffers" | "ReadPAN" | "ReadParty" | "ReadPartyPSU" | "ReadProducts" | "ReadScheduledPaymentsBasic" | "ReadScheduledPaymentsDetail" | "ReadStandingOrdersBasic" | "ReadStandingOrdersDetail" | "ReadStatementsBasic" | "ReadStatementsDetail" | "ReadTransactionsBasic" | "ReadTransactionsCredits" | "ReadTransactionsDebits" | "ReadTransactionsDetail")[];
                /**
                 * Format: date-time
                 * @description When the consent ends. Absent: open ended.
                 */
                readonly expiration_date_time?: string;
                /**
                 * Format: date-time
                 * @description The first instant of which transactions may be read. Absent: the earliest.
                 */
                readonly transaction_from_date_time?: string;
                /**
                 * Format: date-time
                 * @description The last one. Absent: the latest.
                 */
                readonly transaction_to_date_time?: string;
                /** @description The operator limits how long consents live, so the expiration was cut. Only in the answer that creates it. */
                readonly warning?: string;
            };
        };
        readonly PaymentOrderConsent: {
            /** @description The record itself. */
            readonly data: {
                /** @description The id of the consent. */
                readonly consent_id: string;
                /**
                 * @description `Consumed` once its one token was issued.
                 * @enum {string}
                 */
                readonly status: "AwaitingAuthorisation" | "Authorised" | "Consumed";
                /**
                 * Format: date-time
                 * @description When `status` changed last.
                 */
                readonly status_update_date_time: string;
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                readonly creation_date_time: string;
                /** @description The payment: UK Open Banking's domestic payment initiation in snake case. */
                readonly initiation: {
                    /** @description The PSP's own id of the instruction: at most 35 characters. */
                    readonly instruction_identification: string;
                    /** @description An id that travels with the payment to the payee: at most 35 characters. */
                    readonly end_to_end_identification: string;
                    /** @description What is paid. */
                    readonly instructed_amount: {
                        /** @description A decimal string above zero, such as 165.88: at most 13 digits before the point, and as many after it as the currency has. */
                        readonly amount: string;
                        /** @description A currency of ISO 4217 in capitals. */
                        readonly currency: string;
                    };
                    /** @description The payer's account. Absent: the customer chooses it. */
                    readonly debtor_account?: {
                        /** @description The kind of number in `identification`, such as IBAN: at most 40 characters. */
                        readonly scheme_name: string;
                        /** @description The account's number: at most 256 characters. */
                        readonly identification: string;
                        /** @description The name of the account's holder: at most 350 characters. */
                        readonly name?: string;
                    };
                    /** @description The payee's account. Its name is required. */
                    readonly creditor_account: {
                        /** @description The kind of number in `identification`, such as IBAN: at most 40 characters. */
                        readonly scheme_name: string;
                        /** @description The account's number: at most 256 characters. */
                        readonly identification: string;
                        /** @description The name of the account's holder: at most 350 characters. */
                        readonly name: string;
                    };
                    /** @description What the payee should know. */
                    readonly remittance_information?: {
                        /** @description A message: at most 140 characters. */
                        readonly unstructured?: string;
                        /** @description The payee's reference: at most 35 characters. */
                        readonly reference?: string;
                    };
                };
            };
        };
        readonly PaymentOrderConsentList: {
            /** @description One page, the one that was created last first. */
            readonly data: readonly {
                /** @description The id of the consent. */
                readonly consent_id: string;
                /**
                 * @description `Consumed` once its one token was issued.
                 * @enum {string}
                 */
                readonly status: "AwaitingAuthorisation" | "Authorised" | "Consumed";
                /**
                 * Format: date-time
                 * @description When `status` changed last.
                 */
                readonly status_update_date_time: string;
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                readonly creation_date_time: string;
                /** @description The payment: UK Open Banking's domestic payment initiation in snake case. */
                readonly initiation: {
                    /** @description The PSP's own id of the instruction: at most 35 characters. */
                    readonly instruction_identification: string;
                    /** @description An id that travels with the payment to the payee: at most 35 characters. */
                    readonly end_to_end_identification: string;
                    /** @description What is paid. */
                    readonly instructed_amount: {
                        /** @description A decimal string above zero, such as 165.88: at most 13 digits before the point, and as many after it as the currency has. */
                        readonly amount: string;
                        /** @description A currency of ISO 4217 in capitals. */
                        readonly currency: string;
                    };
                    /** @description The payer's account. Absent: the customer chooses it. */
                    readonly debtor_account?: {
                        /** @description The kind of number in `identification`, such as IBAN: at most 40 characters. */
                        readonly scheme_name: string;
                        /** @description The account's number: at most 256 characters. */
                        readonly identification: string;
                        /** @description The name of the account's holder: at most 350 characters. */
                        readonly name?: string;
                    };
                    /** @description The payee's account. Its name is required. */
                    readonly creditor_account: {
                        /** @description The kind of number in `identification`, such as IBAN: at most 40 characters. */
                        readonly scheme_name: string;
                        /** @description The account's number: at most 256 characters. */
                        readonly identification: string;
                        /** @description The name of the account's holder: at most 350 characters. */
                        readonly name: string;
                    };
                    /** @description What the payee should know. */
                    readonly remittance_information?: {
                        /** @description A message: at most 140 characters. */
                        readonly unstructured?: string;
                        /** @description The payee's reference: at most 35 characters. */
                        readonly reference?: string;
                    };
                };
            }[];
            /** @description The parameter `cursor` of the next page. Absent on the last page. */
            readonly next_cursor?: string;
        };
        readonly PspCheck: {
            /** @description What the certificate says, and what is found about it. */
            readonly eIDAS: {
                /** @description Four verdicts; in the other endpoints one that is false is a 401. */
                readonly validity: {
                    /** @description A trusted list approved the issuer for such a certificate when it was issued, and does now. */
                    readonly validQTSP: boolean;
                    /** @description Every signature from the certificate to the listed issuer verifies, and none of these certificates is expired. */
                    readonly validSignature: boolean;
                    /** @description OCSP or a CRL says of every certificate on the path that it is not revoked. False if nothing can be known. */
                    readonly notRevoked: boolean;
                    /** @description Now lies between the certificate's first and last instant. */
                    readonly notExpired: boolean;
                };
                /** @description The subject and the issuer of the certificate; an empty string for what it does not have. */
                readonly data: {
                    /** @description The issuer's common name. */
                    readonly QTSPCommonName: string;
                    /** @description The PSP's authorisation number, as the certificate spells it. */
                    readonly authNumber: string;
                    /** @description The PSP's name. */
                    readonly pspSubjectName: string;
                };
                /** @description What is doubtful or missing, in sentences. Absent if there is nothing to say. */
                readonly warning?: readonly string[];
            };
            /** @description The register of the country in the authorisation number. */
            readonly homeRegister: {
                /** @description The authority that keeps it; empty if it is not known. */
                readonly ncaName: string;
                /** @description Its country in two capitals; empty if the certificate names none. */
                readonly ncaCountryCode: string | "";
                /**
                 * @description `Home` or `Host`.
                 * @constant
                 */
                readonly registerType: "Home";
                /** @description The PSP's entries, one for each category. Those of the authority's own register come first, then those of the register of credit institutions, then those of the EBA's; in each the register's order. Empty if it is not found: then `warning` says so. */
                readonly categoryEntries: readonly {
                    /** @description `Payment Institution`, `Exempt Payment Institution`, `E-Money Institution`, `Exempt E-Money Institution`, `AISP`, `Credit Institution`; `Agent`, `Branch` or `Not documented` where the register has none of these. */
                    readonly categoryName: string;
                    /** @description The PSP's name in the register. */
                    readonly pspLegalName: string;
                    /**
                     * @description `Authorised`, of exempt institutions and AISPs `Registered`; `Unauthorised`, `Withdrawn`. Null for agents and where the register does not document it.
                     * @enum {string|null}
                     */
                    readonly pspAuthStatus: "Authorised" | "Registered" | "Unauthorised" | "Withdrawn" | null;
                    /** @description The payment services that the PSP may perform in its home country, ascending; a credit institution has all eight. 1 placing cash on a payment account; 2 withdrawing cash from a payment account; 3 executing payments; 4 executing payments covered by a credit line; 5 issuing payment instruments, acquiring payments; 6 money remittance; 7 payment initiation; 8 account information. */
                    readonly pspPaymentServices: readonly number[];
                    /** @description Only if the jurisdiction is another country than home. */
                    readonly passportOut?: {
                        /** @description The jurisdiction. */
                        readonly countryCode: string;
                        /** @description The payment services that the PSP may perform there, ascending. Empty without a passport. */
                        readonly paymentServices: readonly number[];
                    };
                }[];
                /** @description What is doubtful or missing, in sentences. Absent if there is nothing to say. */
                readonly warning?: readonly string[];
            };
            /** @description The register of the jurisdiction, if that is another country than home. It may be incomplete: rely on `passportOut`. */
            readonly hostRegister?: {
                /** @description The authority that keeps it; empty if it is not known. */
                readonly ncaName: string;
                /** @description Its country in two capitals; empty if the certificate names none. */
                readonly ncaCountryCode: string;
                /**
                 * @description `Home` or `Host`.
                 * @constant
                 */
                readonly registerType: "Host";
                /** @description The PSP's entries, one for each category. Those of the authority's own register come first, then those of the register of credit institutions, then those of the EBA's; in each the register's order. Empty if it is not found: then `warning` says so. */
                readonly categoryEntries: readonly {
                    /** @description `Payment Institution`, `Exempt Payment Institution`, `E-Money Institution`, `Exempt E-Money Institution`, `AISP`, `Credit Institution`; `Agent`, `Branch` or `Not documented` where the register has none of these. */
                    readonly categoryName: string;
                    /** @description The PSP's name in the register. */
                    readonly pspLegalName: string;
                    /**
                     * @description `Authorised`, of exempt institutions and AISPs `Registered`; `Unauthorised`, `Withdrawn`. Null for agents and where the register does not document it.
                     * @enum {string|null}
                     */
                    readonly pspAuthStatus: "Authorised" | "Registered" | "Unauthorised" | "Withdrawn" | null;
                    /** @description Only if the register says where the PSP comes from. */
                    readonly passportIn?: {
                        /** @description The PSP's home country. */
                        readonly countryCode: string;
                    };
                }[];
                /** @description What is doubtful or missing, in sentences. Absent if there is nothing to say. */
                readonly warning?: readonly string[];
            };
        };
        readonly PspCheckLatest: {
            /** @description What the certificate says, and what is found about it. */
            readonly eIDAS: {
                /** @description Four verdicts; in the other endpoints one that is false is a 401. */
                readonly validity: {
                    /** @description A trusted list approved the issuer for such a certificate when it was issued, and does now. */
                    readonly validQTSP: boolean;
                    /** @description Every signature from the certificate to the listed issuer verifies, and none of these certificates is expired. */
                    readonly validSignature: boolean;
                    /** @description OCSP or a CRL says of every certificate on the path that it is not revoked. False if nothing can be known. */
                    readonly notRevoked: boolean;
                    /** @description Now lies between the certificate's first and last instant. */
                    readonly notExpired: boolean;
                };
                /** @description The subject and the issuer of the certificate; an empty string for what it does not have. */
                readonly data: {
                    /** @description The issuer's common name. */
                    readonly QTSPCommonName: string;
                    /** @description The PSP's authorisation number, as the certificate spells it. */
                    readonly authNumber: string;
                    /** @description The PSP's name. */
                    readonly pspSubjectName: string;
                };
                /** @description What is doubtful or missing, in sentences. Absent if there is nothing to say. */
                readonly warning?: readonly string[];
                /** @description A code for each sentence of `warning`, in the same order. Only with version `latest`. */
                readonly warning_codes?: readonly ("qtsp_invalid" | "signature_invalid" | "certificate_revoked" | "revocation_unknown" | "certificate_expired" | "issuer_found" | "issuer_pending" | "issuer_unavailable" | "trusted_list_stale" | "ocsp_responder_unchecked" | "authorisation_number_missing" | "authorisation_number_invalid" | "authorisation_number_unusual" | "authorisation_number_ambiguous" | "organisation_missing" | "country_invalid" | "country_contradicts" | "precertificate" | "qc_statements_missing" | "qc_statements_malformed" | "qc_statement_repeated" | "qc_compliance_missing" | "qc_type_missing" | "qc_type_invalid" | "psd2_statement_missing" | "psd2_statement_malformed" | "role_missing" | "role_unknown" | "role_without_service" | "role_name_unusual" | "role_repeated" | "nca_missing" | "nca_id_invalid" | "nca_id_contradicts" | "home_country_unknown" | "not_in_register" | "not_in_host_register" | "register_ambiguous" | "register_not_loaded" | "register_stale" | "warnings_omitted")[];
            };
            /** @description The register of the country in the authorisation number. */
            readonly homeRegister: {
                /** @description The authority that keeps it; empty if it is not known. */
                readonly ncaName: string;
                /** @description Its country in two capitals; empty if the certificate names none. */
                readonly ncaCountryCode: string | "";
                /**
                 * @description `Home` or `Host`.
                 * @constant
                 */
                readonly registerType: "Home";
                /** @description The PSP's entries, one for each category. Those of the authority's own register come first, then those of the register of credit institutions, then those of the EBA's; in each the register's order. Empty if it is not found: then `warning` says so. */
                readonly categoryEntries: readonly {
                    /** @description `Payment Institution`, `Exempt Payment Institution`, `E-Money Institution`, `Exempt E-Money Institution`, `AISP`, `Credit Institution`; `Agent`, `Branch` or `Not documented` where the register has none of these. */
                    readonly categoryName: string;
                    /** @description The PSP's name in the register. */
                    readonly pspLegalName: string;
                    /**
                     * @description `Authorised`, of exempt institutions and AISPs `Registered`; `Unauthorised`, `Withdrawn`. Null for agents and where the register does not document it.
                     * @enum {string|null}
                     */
                    readonly pspAuthStatus: "Authorised" | "Registered" | "Unauthorised" | "Withdrawn" | null;
                    /** @description The payment services that the PSP may perform in its home country, ascending; a credit institution has all eight. 1 placing cash on a payment account; 2 withdrawing cash from a payment account; 3 executing payments; 4 executing payments covered by a credit line; 5 issuing payment instruments, acquiring payments; 6 money remittance; 7 payment initiation; 8 account information. */
                    readonly pspPaymentServices: readonly number[];
                    /** @description Only if the jurisdiction is another country than home. */
                    readonly passportOut?: {
                        /** @description The jurisdiction. */
                        readonly countryCode: string;
                        /** @description The payment services that the PSP may perform there, ascending. Empty without a passport. */
                        readonly paymentServices: readonly number[];
                    };
                }[];
                /** @description What is doubtful or missing, in sentences. Absent if there is nothing to say. */
                readonly warning?: readonly string[];
                /** @description A code for each sentence of `warning`, in the same order. Only with version `latest`. */
                readonly warning_codes?: readonly ("qtsp_invalid" | "signature_invalid" | "certificate_revoked" | "revocation_unknown" | "certificate_expired" | "issuer_found" | "issuer_pending" | "issuer_unavailable" | "trusted_list_stale" | "ocsp_responder_unchecked" | "authorisation_number_missing" | "authorisation_number_invalid" | "authorisation_number_unusual" | "authorisation_number_ambiguous" | "organisation_missing" | "country_invalid" | "country_contradicts" | "precertificate" | "qc_statements_missing" | "qc_statements_malformed" | "qc_statement_repeated" | "qc_compliance_missing" | "qc_type_missing" | "qc_type_invalid" | "psd2_statement_missing" | "psd2_statement_malformed" | "role_missing" | "role_unknown" | "role_without_service" | "role_name_unusual" | "role_repeated" | "nca_missing" | "nca_id_invalid" | "nca_id_contradicts" | "home_country_unknown" | "not_in_register" | "not_in_host_register" | "register_ambiguous" | "register_not_loaded" | "register_stale" | "warnings_omitted")[];
            };
            /** @description The register of the jurisdiction, if that is another country than home. It may be incomplete: rely on `passportOut`. */
            readonly hostRegister?: {
                /** @description The authority that keeps it; empty if it is not known. */
                readonly ncaName: string;
                /** @description Its country in two capitals; empty if the certificate names none. */
                readonly ncaCountryCode: string;
                /**
                 * @description `Home` or `Host`.
                 * @constant
                 */
                readonly registerType: "Host";
                /** @description The PSP's entries, one for each category. Those of the authority's own register come first, then those of the register of credit institutions, then those of the EBA's; in each the register's order. Empty if it is not found: then `warning` says so. */
                readonly categoryEntries: readonly {
                    /** @description `Payment Institution`, `Exempt Payment Institution`, `E-Money Institution`, `Exempt E-Money Institution`, `AISP`, `Credit Institution`; `Agent`, `Branch` or `Not documented` where the register has none of these. */
                    readonly categoryName: string;
                    /** @description The PSP's name in the register. */
                    readonly pspLegalName: string;
                    /**
                     * @description `Authorised`, of exempt institutions and AISPs `Registered`; `Unauthorised`, `Withdrawn`. Null for agents and where the register does not document it.
                     * @enum {string|null}
                     */
                    readonly pspAuthStatus: "Authorised" | "Registered" | "Unauthorised" | "Withdrawn" | null;
                    /** @description Only if the register says where the PSP comes from. */
                    readonly passportIn?: {
                        /** @description The PSP's home country. */
                        readonly countryCode: string;
                    };
                }[];
                /** @description What is doubtful or missing, in sentences. Absent if there is nothing to say. */
                readonly warning?: readonly string[];
                /** @description A code for each sentence of `warning`, in the same order. Only with version `latest`. */
                readonly warning_codes?: readonly ("qtsp_invalid" | "signature_invalid" | "certificate_revoked" | "revocation_unknown" | "certificate_expired" | "issuer_found" | "issuer_pending" | "issuer_unavailable" | "trusted_list_stale" | "ocsp_responder_unchecked" | "authorisation_number_missing" | "authorisation_number_invalid" | "authorisation_number_unusual" | "authorisation_number_ambiguous" | "organisation_missing" | "country_invalid" | "country_contradicts" | "precertificate" | "qc_statements_missing" | "qc_statements_malformed" | "qc_statement_repeated" | "qc_compliance_missing" | "qc_type_missing" | "qc_type_invalid" | "psd2_statement_missing" | "psd2_statement_malformed" | "role_missing" | "role_unknown" | "role_without_service" | "role_name_unusual" | "role_repeated" | "nca_missing" | "nca_id_invalid" | "nca_id_contradicts" | "home_country_unknown" | "not_in_register" | "not_in_host_register" | "register_ambiguous" | "register_not_loaded" | "register_stale" | "warnings_omitted")[];
            };
            /** @description What follows from all this. Only with version `latest`. */
            readonly decision: {
                /** @description May the PSP initiate payments from accounts in the jurisdiction? */
                readonly payments: {
                    /** @description True exactly if there are no reasons. */
                    readonly allowed: boolean;
                    /** @description Everything that speaks against it: first of the certificate's verdicts, then of its authorisation number, its roles, and the home register. */
                    readonly reasons: readonly {
                        /**
                         * @description The reason, for programs.
                         * @enum {string}
                         */
                        readonly code: "certificate_expired" | "qtsp_invalid" | "signature_invalid" | "certificate_revoked" | "revocation_unknown" | "certificate_authorisation_number_missing" | "role_not_on_certificate" | "register_unreadable" | "register_not_loaded" | "register_ambiguous" | "not_in_register" | "service_not_in_register" | "authorisation_withdrawn" | "unauthorised" | "status_not_documented" | "service_not_passported";
                        /** @description The reason, for people. */
                        readonly message: string;
                        /**
                         * @description Who can remove it: the PSP, its QTSP, the national authority, or the operator, whose data is missing or unclear (`source`).
                         * @enum {string}
                         */
                        readonly whose: "psp" | "qtsp" | "nca" | "source";
                    }[];
                };
                /** @description May the PSP read accounts in the jurisdiction? */
                readonly accounts: {
                    /** @description True exactly if there are no reasons. */
                    readonly allowed: boolean;
                    /** @description Everything that speaks against it: first of the certificate's verdicts, then of its authorisation number, its roles, and the home register. */
                    readonly reasons: readonly {
                        /**
                         * @description The reason, for programs.
                         * @enum {string}
                         */
                        readonly code: "certificate_expired" | "qtsp_invalid" | "signature_invalid" | "certificate_revoked" | "revocation_unknown" | "certificate_authorisation_number_missing" | "role_not_on_certificate" | "register_unreadable" | "register_not_loaded" | "register_ambiguous" | "not_in_register" | "service_not_in_register" | "authorisation_withdrawn" | "unauthorised" | "status_not_documented" | "service_not_passported";
                        /** @description The reason, for people. */
                        readonly message: string;
                        /**
                         * @description Who can remove it: the PSP, its QTSP, the national authority, or the operator, whose data is missing or unclear (`source`).
                         * @enum {string}
                         */
                        readonly whose: "psp" | "qtsp" | "nca" | "source";
                    }[];
                };
            };
            /** @description What the verdicts are based on, for an audit. Only with version `latest`. */
            readonly evidence: {
                /** @description The header `x-evidence-id`: under it the check is found later. */
                readonly id: string;
                /**
                 * Format: date-time
                 * @description The instant for which the PSP was checked.
                 */
                readonly checked_at: string;
                /** @description The version of this service. */
                readonly release: string;
                /** @description The digest of the PSP's certificate: of its DER, SHA-256 in hexadecimal, as all below. */
                readonly certificate: string;
                /** @description The listed service that the path leads to; null without a path. */
                readonly anchor: {
                    /** @description Where the list comes from. */
                    readonly source: string;
                    /** @description The country of the trusted list. */
                    readonly jurisdiction: string;
                    /** @description The name of the service on the list. */
                    readonly service: string;
                    /** @description Its status on the list now; null before its first one. */
                    readonly status: string | null;
                    /**
                     * Format: date-time
                     * @description Since when it has this status.
                     */
                    readonly since: string | null;
                    /** @description The number of the list's issue; null if it is not known. */
                    readonly listSequenceNumber: number | null;
                    /**
                     * Format: date-time
                     * @description When the list was issued; null if it is not known.
                     */
                    readonly listIssuedAt: string | null;
                    /**
                     * Format: date-time
                     * @description Until when a newer list is due; null if the list does not say it: a list of source `eIDAS` is then closed.
                     */
                    readonly listNextUpdate: string | null;
                } | null;
                /** @description The certificates from the PSP's to the anchor; empty without a path. */
                readonly path: readonly {
                    /** @description The subject's name. */
                    readonly subject: string;
                    /** @description The digest of the certificate's DER. */
                    readonly sha256: string;
                }[];
                /** @description The answer that decided for each certificate whose status is known, in the order of `path`. */
                readonly revocation: readonly {
                    /** @description The digest of the certificate that it is about. */
                    readonly certificate: string;
                    /**
                     * @description An OCSP answer, or a CRL.
                     * @enum {string}
                     */
                    readonly source: "OCSP" | "CRL";
                    /** @description Where it was fetched; null if that is not known any more. */
                    readonly url: string | null;
                    /**
                     * Format: date-time
                     * @description When the OCSP answer was signed; of a CRL its `thisUpdate`.
                     */
                    readonly producedAt: string;
                    /** @description The number of the CRL, in decimal; null for an OCSP answer. */
                    readonly crlNumber: string | null;
                    /**
                     * Format: date-time
                     * @description As of when it is known to be right.
                     */
                    readonly thisUpdate: string;
                    /**
                     * Format: date-time
                     * @description Until when a newer one is due; null if it does not say it.
                     */
                    readonly nextUpdate: string | null;
                    /** @description The digest of its DER. */
                    readonly sha256: string;
                }[];
                /** @description The registers that are loaded for the home country, then those for the host; of each `nca`, `credit-institutions`, `eba`. */
                readonly registers: readonly {
                    /** @description The register's country. */
                    readonly country: string;
                    /** @description `nca`, `credit-institutions` or `eba`. */
                    readonly source: string;
                    /** @description A hash of the data that was used, as in GET /status. */
                    readonly snapshot: string;
                    /** @description When the source published it. */
                    readonly published: string;
                    /**
                     * Format: date-time
                     * @description When it was last found to be the current one.
                     */
                    readonly fetchedAt: string;
                }[];
                /** @description The oldest of all that the answer is based on; null if no date is known. */
                readonly oldest: {
                    /** @description What it is, such as `eba register of FI` or `CRL on the certificate`. */
                    readonly name: string;
                    /**
                     * Format: date-time
                     * @description The list's issue, the answer's `thisUpdate`, or the register's date: `published` for the EBA's, else `fetchedAt`.
                     */
                    readonly at: string;
                    /** @description Its age at `checked_at`. */
                    readonly age_seconds: number;
                } | null;
            };
        };
        readonly PspChecks: {
            /** @description One element for each that was asked, in its order. */
            readonly data: readonly ({
                /** @description The id of the request. Absent if it had none. */
                readonly id?: string;
                /** @description One for each jurisdiction, in its order. */
                readonly results: readonly ({
                    /** @description The country in two capitals of ISO 3166-1; null if it is none. */
                    readonly jurisdiction: string;
                    /** @description As GET /v1/psp/eidas answers it. */
                    readonly result: components["schemas"]["PspCheck"];
                } | {
                    /** @description The country in two capitals of ISO 3166-1; null if it is none. */
                    readonly jurisdiction: string | null;
                    /** @description Why there is no result for this jurisdiction. */
                    readonly errors: readonly {
                        /** @description The id of the request, as in the header x-request-id and in the service's log. */
                        readonly id: string;
                        /**
                         * @description What is wrong, for programs. Codes are stable.
                         * @enum {string}
                         */
                        readonly code: "jurisdiction_invalid";
                        /** @description What is wrong, for people: it names the parameter and says what is expected. */
                        readonly title: string;
                        /** @description The code's entry in the error reference: rule, usual cause, cure. */
                        readonly link: string;
                    }[];
                })[];
            } | {
                /** @description The id of the request. Absent if it had none. */
                readonly id?: string;
                /** @description Why this element was not checked. The others were. */
                readonly errors: readonly {
                    /** @description The id of the request, as in the header x-request-id and in the service's log. */
                    readonly id: string;
                    /**
                     * @description What is wrong, for programs. Codes are stable.
                     * @enum {string}
                     */
                    readonly code: "checks_invalid" | "id_invalid" | "certificate_missing" | "certificate_unreadable" | "jurisdictions_missing" | "jurisdictions_invalid" | "check_postponed" | "temporarily_unavailable";
                    /** @description What is wrong, for people: it names the parameter and says what is expected. */
                    readonly title: string;
                    /** @description The code's entry in the error reference: rule, usual cause, cure. */
                    readonly link: string;
                }[];
            })[];
        };
        readonly PspChecksLatest: {
            /** @description One element for each that was asked, in its order. */
            readonly data: readonly ({
                /** @description The id of the request. Absent if it had none. */
                readonly id?: string;
                /** @description One for each jurisdiction, in its order. */
                readonly results: readonly ({
                    /** @description The country in two capitals of ISO 3166-1; null if it is none. */
                    readonly jurisdiction: string;
                    /** @description As GET /v1/psp/eidas answers it. */
                    readonly result: components["schemas"]["PspCheckLatest"];
                } | {
                    /** @description The country in two capitals of ISO 3166-1; null if it is none. */
                    readonly jurisdiction: string | null;
                    /** @description Why there is no result for this jurisdiction. */
                    readonly errors: readonly {
                        /** @description The id of the request, as in the header x-request-id and in the service's log. */
                        readonly id: string;
                        /**
                         * @description What is wrong, for programs. Codes are stable.
                         * @enum {string}
                         */
                        readonly code: "jurisdiction_invalid";
                        /** @description What is wrong, for people: it names the parameter and says what is expected. */
                        readonly title: string;
                        /** @description The code's entry in the error reference: rule, usual cause, cure. */
                        readonly link: string;
                    }[];
                })[];
            } | {
                /** @description The id of the request. Absent if it had none. */
                readonly id?: string;
                /** @description Why this element was not checked. The others were. */
                readonly errors: readonly {
                    /** @description The id of the request, as in the header x-request-id and in the service's log. */
                    readonly id: string;
                    /**
                     * @description What is wrong, for programs. Codes are stable.
                     * @enum {string}
                     */
                    readonly code: "checks_invalid" | "id_invalid" | "certificate_missing" | "certificate_unreadable" | "jurisdictions_missing" | "jurisdictions_invalid" | "check_postponed" | "temporarily_unavailable";
                    /** @description What is wrong, for people: it names the parameter and says what is expected. */
                    readonly title: string;
                    /** @description The code's entry in the error reference: rule, usual cause, cure. */
                    readonly link: string;
                }[];
            })[];
        };
        readonly ActiveToken: {
            /**
             * @description True: the token may be used.
             * @constant
             */
            readonly active: true;
            /**
             * @description What it is for: `payments` or `accounts`.
             * @enum {string}
             */
            readonly scope: "payments" | "accounts";
            /** @description The same as `psp_id`: a PSP has no other identifier. */
            readonly client_id: string;
            /** @description The authorisation number of the PSP in its normal form: `PSD`, the home country, its authority, its reference there. */
            readonly psp_id: string;
            /** @description The account that it gives access to. */
            readonly account_id: string;
            /** @description Its consent. Absent in the core flow. */
            readonly consent_id?: string;
            /** @description What may be read by its account access consent, in the order of its creation's request. */
            readonly permissions?: readonly ("ReadAccountsBasic" | "ReadAccountsDetail" | "ReadBalances" | "ReadBeneficiariesBasic" | "ReadBeneficiariesDetail" | "ReadDirectDebits" | "ReadOffers" | "ReadPAN" | "ReadParty" | "ReadPartyPSU" | "ReadProducts" | "ReadScheduledPaymentsBasic" | "ReadScheduledPaymentsDetail" | "ReadStandingOrdersBasic" | "ReadStandingOrdersDetail" | "ReadStatementsBasic" | "ReadStatementsDetail" | "ReadTransactionsBasic" | "ReadTransactionsCredits" | "ReadTransactionsDebits" | "ReadTransactionsDetail")[];
            /**
             * Format: date-time
             * @description The first instant of which transactions may be read. Absent: the earliest.
             */
            readonly transaction_from_date_time?: string;
            /**
             * Format: date-time
             * @description The last one. Absent: the latest.
             */
            readonly transaction_to_date_time?: string;
            /** @description When it was issued: seconds since 1970. */
            readonly iat: number;
            /** @description When it expires: seconds since 1970. */
            readonly exp: number;
            /**
             * @description Always `bearer` (RFC 6750).
             * @constant
             */
            readonly token_type: "bearer";
            /** @description The PSP as its home register has it now, and whether it may still use the scope. */
            readonly psp: {
                /** @description Its name in the home register; null if the register has none or cannot be read. */
                readonly legal_name: string | null;
                /**
                 * @description Its status there for the scope's payment service; null if that documents none, or cannot be read.
                 * @enum {string|null}
                 */
                readonly standing: "Authorised" | "Registered" | "Unauthorised" | "Withdrawn" | null;
                /** @description Whether the PSP may use the scope now. The token is active all the same. */
                readonly decision: {
                    /** @description True exactly if there are no reasons. */
                    readonly allowed: boolean;
                    /** @description Everything that speaks against it: first of the certificate's verdicts, then of its authorisation number, its roles, and the home register. */
                    readonly reasons: readonly {
                        /**
                         * @description The reason, for programs.
                         * @enum {string}
                         */
                        readonly code: "certificate_expired" | "qtsp_invalid" | "signature_invalid" | "certificate_revoked" | "revocation_unknown" | "certificate_authorisation_number_missing" | "role_not_on_certificate" | "register_unreadable" | "register_not_loaded" | "register_ambiguous" | "not_in_register" | "service_not_in_register" | "authorisation_withdrawn" | "unauthorised" | "status_not_documented" | "service_not_passported";
                        /** @description The reason, for people. */
                        readonly message: string;
                        /**
                         * @description Who can remove it: the PSP, its QTSP, the national authority, or the operator, whose data is missing or unclear (`source`).
                         * @enum {string}
                         */
                        readonly whose: "psp" | "qtsp" | "nca" | "source";
                    }[];
                };
            };
        };
        readonly InactiveToken: {
            /**
             * @description False: expired, revoked, unknown, of another bank, of a blocked account, or shown by another PSP.
             * @constant
             */
            readonly active: false;
        };
        readonly PermissionList: {
            /** @description One page: the one whose consent was created last, or whose first token was issued last, first. `granted_at` may have another order. */
            readonly data: readonly {
                /** @description The id of the permission: that of its consent, or of its first token. */
                readonly id: string;
                /**
                 * @description `active` or `ended`.
                 * @enum {string}
                 */
                readonly status: "active" | "ended";
                /** @description Who has the permission. */
                readonly psp: {
                    /** @description The PSP's name in its home register; null if it has none or cannot be read. */
                    readonly legal_name: string | null;
                    /** @description The PSP's authorisation number in its normal form. */
                    readonly authorisation_number: string;
                    /** @description Two capitals; null if the number names no country. */
                    readonly home_country: string | null;
                    /**
                     * @description Its status in the home register now; null if that documents none, or cannot be read.
                     * @enum {string|null}
                     */
                    readonly standing: "Authorised" | "Registered" | "Unauthorised" | "Withdrawn" | null;
                };
                /**
                 * @description `payments` or `accounts`.
                 * @enum {string}
                 */
                readonly scope: "payments" | "accounts";
                /** @description The consent. Absent in the core flow. */
                readonly consent_id?: string;
                /** @description What it is about, in words for the customer. */
                readonly data: readonly {
                    /** @description A heading, such as Your account details. */
                    readonly group: string;
                    /** @description One sentence or phrase for each kind of data. */
                    readonly words: readonly string[];
                }[];
                /** @description The words of the account access consent, in the order of its creation's request. */
                readonly permissions?: readonly ("ReadAccountsBasic" | "ReadAccountsDetail" | "ReadBalances" | "ReadBeneficiariesBasic" | "ReadBeneficiariesDetail" | "ReadDirectDebits" | "ReadOffers" | "ReadPAN" | "ReadParty" | "ReadPartyPSU" | "ReadProducts" | "ReadScheduledPaymentsBasic" | "ReadScheduledPaymentsDetail" | "ReadStandingOrdersBasic" | "ReadStandingOrdersDetail" | "ReadStatementsBasic" | "ReadStatementsDetail" | "ReadTransactionsBasic" | "ReadTransactionsCredits" | "ReadTransactionsDebits" | "ReadTransactionsDetail")[];
                /**
                 * Format: date-time
                 * @description The first instant of which transactions may be read; null: the earliest.
                 */
                readonly transaction_from_date_time?: string | null;
                /**
                 * Format: date-time
                 * @description The last one; null: the latest.
                 */
                readonly transaction_to_date_time?: string | null;
                /**
                 * Format: date-time
                 * @description When the customer first authorised it.
                 */
                readonly granted_at: string;
                /**
                 * Format: date-time
                 * @description When it ends by itself; null: open ended.
                 */
                readonly valid_until: string | null;
                /**
                 * Format: date-time
                 * @description When its last token was issued; null if none was.
                 */
                readonly last_token_at: string | null;
                /** @description Its account is blocked for its scope: its tokens are inactive while that lasts. */
                readonly blocked: boolean;
                /**
                 * Format: date-time
                 * @description When it ended; null if it is active, or if that is not known.
                 */
                readonly ended_at: string | null;
                /**
                 * @description Who or what ended it: the PSP, the bank, the customer, its expiry, the loss of the PSP's authorisation, or a code of it that was used twice (`code_used_twice`): somebody may have stolen the code. Null if it is active.
                 * @enum {string|null}
                 */
                readonly ended_by: "psp" | "bank" | "customer" | "code_used_twice" | "expiry" | "authorisation_lost" | null;
            }[];
            /** @description The parameter `cursor` of the next page. Absent on the last page. */
            readonly next_cursor?: string;
        };
        readonly AccountBlock: {
            /** @description The record itself. */
            readonly data: {
                /** @description The scopes that are blocked, `payments` before `accounts`; empty if the account is not blocked. */
                readonly scopes: readonly ("payments" | "accounts")[];
                /**
                 * Format: date-time
                 * @description Since when; of two scopes the older. Null if the account is not blocked.
                 */
                readonly blocked_at: string | null;
            };
        };
        readonly LedgerHead: {
            /** @description The record itself. */
            readonly data: {
                /** @description The number of the last record; 0 if there is none. */
                readonly seq: number;
                /** @description SHA-256 of the last record's text; zeros if there is none. */
                readonly hash: string;
                /**
                 * Format: date-time
                 * @description When it was signed; null if there is no record.
                 */
                readonly time: string | null;
                /** @description The signature: a compact JWS (RFC 7515) of `fi`, `seq`, `hash` and `time`, by a key of `/.well-known/jwks.json`. Null while the operator has made no key. */
                readonly jws: string | null;
                /** @description The number of the oldest record that is kept; null if there is none. */
                readonly kept_from: number | null;
            };
        };
        readonly HeadComparison: {
            /** @description The record itself. */
            readonly data: {
                /**
                 * @description `contained`: the record of its number has its hash. `differs`: another record has its number, or the chain is broken after it. `shorter`: the ledger ends before it. `unknown`: the record of its number cannot be read.
                 * @enum {string}
                 */
                readonly verdict: "contained" | "differs" | "shorter" | "unknown";
                /** @description What the kept head says, by its signature. */
                readonly kept: {
                    /** @description The number of its record. */
                    readonly seq: number;
                    /** @description The SHA-256 of its record's text. */
                    readonly hash: string;
                    /**
                     * Format: date-time
                     * @description When it was signed.
                     */
                    readonly time: string;
                };
                /** @description The SHA-256 of the record that has this number today; null if there is none that can be read. */
                readonly found: string | null;
                /** @description The number of the last record up to which the chain was read from the kept head on, and is right: through at most 8 files, or 8,192 records. Null unless the head is contained. */
                readonly followed_to: number | null;
                /** @description The number of the first record that is not what it should be; null unless it differs. */
                readonly differs_at: number | null;
                /**
                 * @description Why it is not known, or the chain was not followed further: records are kept no longer (`expired`), or damaged as in `gaps` of the list; null otherwise.
                 * @enum {string|null}
                 */
                readonly gap: "missing" | "altered" | "unreadable" | "expired" | null;
                /** @description The head of today, signed now if it was not. */
                readonly head: {
                    /** @description The number of the last record; 0 if there is none. */
                    readonly seq: number;
                    /** @description The SHA-256 of its text; zeros if there is none. */
                    readonly hash: string;
                    /**
                     * Format: date-time
                     * @description When it was signed; null if there is no record.
                     */
                    readonly time: string | null;
                    /** @description The signature, as that of the kept one; null while the operator has made no key. */
                    readonly jws: string | null;
                };
            };
        };
        readonly AuditRecordList: {
            /** @description One page, newest first. A page may hold fewer than asked for, or none, and still have a next one. */
            readonly data: readonly {
                /** @description The record. */
                readonly record: {
                    /** @description Its number in the institution's chain: 1, 2, 3, ... without gaps. */
                    readonly seq: number;
                    /** @description SHA-256 of the text of the record before; of the first one zeros. */
                    readonly prev: string;
                    /** @description The `x-evidence-id` of the answer. */
                    readonly id: string;
                    /**
                     * Format: date-time
                     * @description The instant for which the request was judged.
                     */
                    readonly time: string;
                    /** @description The version of the service that answered. */
                    readonly release: string;
                    /** @description The institution: its `fi_reference_id`. */
                    readonly fi: string;
                    /** @description The `x-request-id` of the answer. */
                    readonly request_id: string;
                    /**
                     * @description What was asked for.
                     * @enum {string}
                     */
                    readonly event: "psp.checked" | "psps.checked" | "code.issue" | "code.redemption" | "ccg_token.issue" | "token.deletion" | "consent.creation" | "consent.revocation" | "block.change" | "watch.change";
                    /** @description The method and path of the endpoint; of what is done in the console those of its form, such as `POST /console/check`. */
                    readonly endpoint: string;
                    /**
                     * @description The header `version` of the request; `latest` of a check in the console, `1` of its other forms.
                     * @enum {string}
                     */
                    readonly version: "1" | "latest";
                    /** @description The status of the answer. */
                    readonly status: number;
                    /** @description `ok`, or the first error code; of a check that of the first false verdict. */
                    readonly outcome: string;
                    /** @description Milliseconds from the request to the record. */
                    readonly ms: number;
                    /** @description The authorisation number of the PSP, in normal form; null if it is not known. */
                    readonly psp: string | null;
                    /** @description The certificates that were checked for it. */
                    readonly checks: readonly {
                        /** @description SHA-256 of the certificate's DER. */
                        readonly certificate: string;
                        /** @description The authorisation number on it, in normal form; null if it has none. */
                        readonly psp: string | null;
                        /** @description The countries that were asked for; empty where only the home register counts. */
                        readonly jurisdictions: readonly string[];
                        /** @description The verdicts that are false. */
                        readonly verdicts: readonly ("validQTSP" | "validSignature" | "notRevoked" | "notExpired")[];
                        /** @description One for each jurisdiction; one for the home country if there is none. */
                        readonly decisions: readonly {
                            /** @description Whether the PSP may initiate payments. */
                            readonly payments: boolean;
                            /** @description Whether the PSP may read accounts. */
                            readonly accounts: boolean;
                        }[];
                        /** @description SHA-256 of the document that names everything that the check rested on. */
                        readonly basis: string;
                    }[];
                    /** @description Of a PSP check: SHA-256 of the answer, without what belongs to the request alone; null otherwise. */
                    readonly answer: string | null;
                    /** @description The id of the token that was made or ended; null if there is none. */
                    readonly token: string | null;
                    /** @description The id of the consent that was made, authorised or ended; null if there is none. */
                    readonly consent: string | null;
                    /** @description A tag of the account, which nobody can trace once the account has been erased; null if there is none. */
                    readonly account: string | null;
                    /** @description The request's header of this name; null if there was none. */
                    readonly transaction_reference: string | null;
                    /** @description Of a grant or of one permission: its scope. Of a block: what is blocked from then on, or was to be if the outcome is an error. Absent where there is none. */
                    readonly scopes?: readonly ("payments" | "accounts")[];
                    /**
                     * @description Of what ends something: whose decision it was. Absent otherwise.
                     * @enum {string}
                     */
                    readonly by?: "bank" | "customer" | "psp";
                    /** @description What it ended; empty lists if that had ended before. Absent of what ends nothing, and if it is not known. */
                    readonly ended?: {
                        /** @description Permissions, consents among them: at most 100. Of each PSP one comes first, so that `psp_id` finds the record by each. */
                        readonly permissions: readonly {
                            /** @description Its id: of a consent the `consent_id`. */
                            readonly id: string;
                            /** @description The authorisation number of its PSP, in normal form. */
                            readonly psp: string;
                            /**
                             * @description Its scope.
                             * @enum {string}
                             */
                            readonly scope: "payments" | "accounts";
                        }[];
                        /** @description Ids of tokens: at most 100. */
                        readonly tokens: readonly string[];
                        /** @description How many more ended that are not named. */
                        readonly more: {
                            /** @description Permissions. */
                            readonly permissions: number;
                            /** @description Tokens. */
                            readonly tokens: number;
                        };
                    };
                    /** @description Of a form of the console alone: the client id with which whoever sent it had signed in. */
                    readonly client?: string;
                    /** @description Of an operator's form of the console alone: the address by which Cloudflare Access named them. */
                    readonly operator?: string;
                    /**
                     * Format: date-time
                     * @description Of an operator's check as of another instant than `time`: that instant.
                     */
                    readonly as_of?: string;
                    /**
                     * @description True: the institution requires its records, this one could not be appended at once, and its answer was withheld with 503. `status` and `outcome` say what was done.
                     * @constant
                     */
                    readonly withheld?: true;
                };
                /** @description The record as it is stored and hashed: the exact text of `record`. */
                readonly text: string;
                /** @description SHA-256 of the UTF-8 of `text`: what the next record holds as `prev`. */
                readonly hash: string;
            }[];
            /** @description Signed ends of the chain, oldest first: compact JWS (RFC 7515) by the keys of /.well-known/jwks.json, with `fi`, `seq`, `hash` and `time`. From the page's oldest record to the first that covers its newest. */
            readonly heads: readonly string[];
            /** @description Records that may belong to this page, are damaged in the store, and cannot be given out; empty as long as none is. */
            readonly gaps: readonly {
                /** @description The first of them. */
                readonly first_seq: number;
                /** @description The last of them. */
                readonly last_seq: number;
                /**
                 * Format: date-time
                 * @description The time of the earliest of them.
                 */
                readonly from: string;
                /**
                 * Format: date-time
                 * @description The time of the latest of them.
                 */
                readonly to: string;
                /**
                 * @description How it was noticed: their file is `missing`, was `altered` (its SHA-256 is another one), or is `unreadable` (it does not hold what was stored).
                 * @enum {string}
                 */
                readonly reason: "missing" | "altered" | "unreadable";
            }[];
            /** @description The parameter `cursor` of the next page. Absent on the last page. */
            readonly next_cursor?: string;
        };
        readonly AuditRecord: {
            /** @description The record itself. */
            readonly data: {
                /** @description The record. */
                readonly record: {
                    /** @description Its number in the institution's chain: 1, 2, 3, ... without gaps. */
                    readonly seq: number;
                    /** @description SHA-256 of the text of the record before; of the first one zeros. */
                    readonly prev: string;
                    /** @description The `x-evidence-id` of the answer. */
                    readonly id: string;
                    /**
                     * Format: date-time
                     * @description The instant for which the request was judged.
                     */
                    readonly time: string;
                    /** @description The version of the service that answered. */
                    readonly release: string;
                    /** @description The institution: its `fi_reference_id`. */
                    readonly fi: string;
                    /** @description The `x-request-id` of the answer. */
                    readonly request_id: string;
                    /**
                     * @description What was asked for.
                     * @enum {string}
                     */
                    readonly event: "psp.checked" | "psps.checked" | "code.issue" | "code.redemption" | "ccg_token.issue" | "token.deletion" | "consent.creation" | "consent.revocation" | "block.change" | "watch.change";
                    /** @description The method and path of the endpoint; of what is done in the console those of its form, such as `POST /console/check`. */
                    readonly endpoint: string;
                    /**
                     * @description The header `version` of the request; `latest` of a check in the console, `1` of its other forms.
                     * @enum {string}
                     */
                    readonly version: "1" | "latest";
                    /** @description The status of the answer. */
                    readonly status: number;
                    /** @description `ok`, or the first error code; of a check that of the first false verdict. */
                    readonly outcome: string;
                    /** @description Milliseconds from the request to the record. */
                    readonly ms: number;
                    /** @description The authorisation number of the PSP, in normal form; null if it is not known. */
                    readonly psp: string | null;
                    /** @description The certificates that were checked for it. */
                    readonly checks: readonly {
                        /** @description SHA-256 of the certificate's DER. */
                        readonly certificate: string;
                        /** @description The authorisation number on it, in normal form; null if it has none. */
                        readonly psp: string | null;
                        /** @description The countries that were asked for; empty where only the home register counts. */
                        readonly jurisdictions: readonly string[];
                        /** @description The verdicts that are false. */
                        readonly verdicts: readonly ("validQTSP" | "validSignature" | "notRevoked" | "notExpired")[];
                        /** @description One for each jurisdiction; one for the home country if there is none. */
                        readonly decisions: readonly {
                            /** @description Whether the PSP may initiate payments. */
                            readonly payments: boolean;
                            /** @description Whether the PSP may read accounts. */
                            readonly accounts: boolean;
                        }[];
                        /** @description SHA-256 of the document that names everything that the check rested on. */
                        readonly basis: string;
                    }[];
                    /** @description Of a PSP check: SHA-256 of the answer, without what belongs to the request alone; null otherwise. */
                    readonly answer: string | null;
                    /** @description The id of the token that was made or ended; null if there is none. */
                    readonly token: string | null;
                    /** @description The id of the consent that was made, authorised or ended; null if there is none. */
                    readonly consent: string | null;
                    /** @description A tag of the account, which nobody can trace once the account has been erased; null if there is none. */
                    readonly account: string | null;
                    /** @description The request's header of this name; null if there was none. */
                    readonly transaction_reference: string | null;
                    /** @description Of a grant or of one permission: its scope. Of a block: what is blocked from then on, or was to be if the outcome is an error. Absent where there is none. */
                    readonly scopes?: readonly ("payments" | "accounts")[];
                    /**
                     * @description Of what ends something: whose decision it was. Absent otherwise.
                     * @enum {string}
                     */
                    readonly by?: "bank" | "customer" | "psp";
                    /** @description What it ended; empty lists if that had ended before. Absent of what ends nothing, and if it is not known. */
                    readonly ended?: {
                        /** @description Permissions, consents among them: at most 100. Of each PSP one comes first, so that `psp_id` finds the record by each. */
                        readonly permissions: readonly {
                            /** @description Its id: of a consent the `consent_id`. */
                            readonly id: string;
                            /** @description The authorisation number of its PSP, in normal form. */
                            readonly psp: string;
                            /**
                             * @description Its scope.
                             * @enum {string}
                             */
                            readonly scope: "payments" | "accounts";
                        }[];
                        /** @description Ids of tokens: at most 100. */
                        readonly tokens: readonly string[];
                        /** @description How many more ended that are not named. */
                        readonly more: {
                            /** @description Permissions. */
                            readonly permissions: number;
                            /** @description Tokens. */
                            readonly tokens: number;
                        };
                    };
                    /** @description Of a form of the console alone: the client id with which whoever sent it had signed in. */
                    readonly client?: string;
                    /** @description Of an operator's form of the console alone: the address by which Cloudflare Access named them. */
                    readonly operator?: string;
                    /**
                     * Format: date-time
                     * @description Of an operator's check as of another instant than `time`: that instant.
                     */
                    readonly as_of?: string;
                    /**
                     * @description True: the institution requires its records, this one could not be appended at once, and its answer was withheld with 503. `status` and `outcome` say what was done.
                     * @constant
                     */
                    readonly withheld?: true;
                };
                /** @description The record as it is stored and hashed: the exact text of `record`. */
                readonly text: string;
                /** @description SHA-256 of the UTF-8 of `text`: what the next record holds as `prev`. */
                readonly hash: string;
                /** @description Everything that the record is based on; each can be fetched while it is kept. */
                readonly evidence: readonly {
                    /** @description What it is: an answer, a basis, a certificate, an OCSP answer, a CRL, entries of lists. */
                    readonly kind: string;
                    /** @description Its SHA-256, by which it is fetched. */
                    readonly sha256: string;
                }[];
                /** @description Signed ends of the chain, oldest first: compact JWS (RFC 7515) by the keys of /.well-known/jwks.json, with `fi`, `seq`, `hash` and `time`. The first that covers the record; empty while none does. */
                readonly heads: readonly string[];
            };
        };
        readonly EventList: {
            /** @description One page, oldest first. */
            readonly data: readonly {
                /** @description The event's id: the header `webhook-id` of its deliveries. */
                readonly id: string;
                /**
                 * @description `psp.status_changed`: what the home register says of the PSP. `qtsp.withdrawn`: the trusted list no longer vouches for a certificate that it showed, so that a check says no to it. `psp.certificate_revoked`: a check saw a revoked certificate of it. `psp.code_used_twice`: a code of it was sent again after it had given a token, so somebody else may have it; the token is revoked. `source.stale`: a register or list is older than it may be. `webhook.test`: a test of the operator.
                 * @enum {string}
                 */
                readonly type: "psp.status_changed" | "psp.certificate_revoked" | "psp.code_used_twice" | "qtsp.withdrawn" | "source.stale" | "webhook.test";
                /**
                 * Format: date-time
                 * @description When it was found out.
                 */
                readonly timestamp: string;
                /** @description What has changed. */
                readonly data: {
                    /** @description The authorisation number of the PSP in its normal form: `PSD`, the home country, its authority, its reference there. Null if it is not about one PSP. */
                    readonly psp_id: string | null;
                    /** @description What the institution knew before. By type: of `psp.status_changed` an object with `ambiguous` and `categories` (`category`, `status`, `payment_services`, `passports` by country); of `qtsp.withdrawn` the listed service, its status, and the SHA-256 of the certificates concerned; of `psp.certificate_revoked` the SHA-256 of the certificate; of `psp.code_used_twice` the scope, the permission or consent of the token (null: it was not stored), and whether the token is revoked; of `source.stale` the source and its dates. */
                    readonly before: unknown;
                    /** @description The same, as it is now. */
                    readonly after: unknown;
                    /** @description The documents that it is based on. */
                    readonly evidence: readonly {
                        /** @description Which one, such as `register FI eba`, `listed service`, `certificate`, `OCSP` or `CRL`. */
                        readonly document: string;
                        /** @description Its SHA-256 in lower-case hexadecimal; of a register the `snapshot` of `GET /status` and of a check's evidence, which is half as long. */
                        readonly sha256: string;
                    }[];
                    /** @description What the PSP has at the institution at that time. Null if it is not about one PSP. */
                    readonly grants: {
                        /** @description Accounts and scopes for which it has a live token of the core flow; counted among its newest 5,000. */
                        readonly tokens: number;
                        /** @description Its authorised consents that have not ended; counted among its newest 5,000 of each kind. */
                        readonly consents: number;
                    } | null;
                };
            }[];
            /** @description The parameter `after` of the next request. Always given: without a new event it is the same. */
            readonly next_after: string;
        };
        readonly Watch: {
            /** @description The record itself. */
            readonly data: {
                /** @description The authorisation number of the PSP in its normal form: `PSD`, the home country, its authority, its reference there. */
                readonly psp_id: string;
                /**
                 * Format: date-time
                 * @description Since when it is watched.
                 */
                readonly watched_since: string;
            };
        };
        readonly WatchList: {
            /** @description One page, in the order of the authorisation numbers as texts. */
            readonly data: readonly {
                /** @description The authorisation number of the PSP in its normal form: `PSD`, the home country, its authority, its reference there. */
                readonly psp_id: string;
                /**
                 * Format: date-time
                 * @description Since when it is watched.
                 */
                readonly watched_since: string;
            }[];
            /** @description The parameter `cursor` of the next page. Absent on the last page. */
            readonly next_cursor?: string;
        };
        readonly Health: {
            /**
             * @description `up`; `degraded` if data is missing, stale or fails repeatedly; `down` if a store does not answer.
             * @enum {string}
             */
            readonly status: "up" | "degraded" | "down";
            /** @description Why it is not up, each once. */
            readonly reasons: readonly ("no_trusted_list" | "no_register" | "trusted_list_stale" | "register_stale" | "trusted_list_failing" | "register_failing" | "register_incomplete" | "refresh_overdue" | "records_damaged" | "store_unreachable")[];
            /** @description The version of the service. */
            readonly version: string;
        };
        readonly Status: {
            /** @description The version of the service. */
            readonly version: string;
            /**
             * @description `up`, or `degraded` for the reasons below.
             * @enum {string}
             */
            readonly status: "up" | "degraded";
            /** @description Why it is degraded; empty if it is up. */
            readonly reasons: readonly {
                /** @description The reason, for programs. */
                readonly code: string;
                /** @description The reason, for people. */
                readonly message: string;
                /** @description The source that it is about; null if nothing is loaded. */
                readonly source: string | null;
                /** @description Its country; null if nothing is loaded. */
                readonly jurisdiction: string | null;
            }[];
            /** @description The trusted lists, which say whom to believe: those that are loaded in the order of source and country, then the others. */
            readonly trustedLists: readonly {
                /** @description Where it comes from. */
                readonly source: string;
                /** @description Its country, or EU; null for a source of many countries that is not loaded. */
                readonly jurisdiction: string | null;
                /** @description Whether its data is used. */
                readonly loaded: boolean;
                /** @description When the source published it; null if it does not say, or nothing is loaded. */
                readonly published: string | null;
                /**
                 * Format: date-time
                 * @description When it was last found to be the current one; null if nothing is loaded.
                 */
                readonly fetchedAt: string | null;
                /**
                 * Format: date-time
                 * @description Until when a newer one is due; null if the source does not say it.
                 */
                readonly nextUpdate: string | null;
                /** @description Older than its publisher or the operator allows. It is used, with a warning. */
                readonly stale: boolean;
                /** @description How its refreshes go; null if it is not refreshed by itself. */
                readonly refresh: {
                    /**
                     * Format: date-time
                     * @description When the loaded data was last found to be current; null if never.
                     */
                    readonly checkedAt: string | null;
                    /**
                     * Format: date-time
                     * @description When it is looked at next.
                     */
                    readonly nextCheck: string;
                    /** @description How many refreshes have failed since the last one that did not. */
                    readonly failures: number;
                    /** @description The last failure; null if there was none. */
                    readonly lastError: {
                        /**
                         * Format: date-time
                         * @description When.
                         */
                        readonly at: string;
                        /** @description Why. */
                        readonly message: string;
                    } | null;
                    /** @description The operator's last import, if it was refused; null otherwise. */
                    readonly refusedImport: {
                        /**
                         * Format: date-time
                         * @description When.
                         */
                        readonly at: string;
                        /** @description Why. */
                        readonly message: string;
                    } | null;
                } | null;
                /** @description The number of the list's issue; null if it is not known. */
                readonly sequenceNumber: number | null;
                /** @description How many services are on it. */
                readonly services: number;
                /** @description How many certificates of services for qualified certificates. */
                readonly anchors: number;
            }[];
            /** @description The registers, which say what a PSP may do: those that are loaded in the order of country and source, then the others. */
            readonly registers: readonly {
                /** @description Where it comes from. */
                readonly source: string;
                /** @description Its country, or EU; null for a source of many countries that is not loaded. */
                readonly jurisdiction: string | null;
                /** @description Whether its data is used. */
                readonly loaded: boolean;
                /** @description When the source published it; null if it does not say, or nothing is loaded. */
                readonly published: string | null;
                /**
                 * Format: date-time
                 * @description When it was last found to be the current one; null if nothing is loaded.
                 */
                readonly fetchedAt: string | null;
                /**
                 * Format: date-time
                 * @description Until when a newer one is due; null if the source does not say it.
                 */
                readonly nextUpdate: string | null;
                /** @description Older than its publisher or the operator allows. It is used, with a warning. */
                readonly stale: boolean;
                /** @description How its refreshes go; null if it is not refreshed by itself. */
                readonly refresh: {
                    /**
                     * Format: date-time
                     * @description When the loaded data was last found to be current; null if never.
                     */
                    readonly checkedAt: string | null;
                    /**
                     * Format: date-time
                     * @description When it is looked at next.
                     */
                    readonly nextCheck: string;
                    /** @description How many refreshes have failed since the last one that did not. */
                    readonly failures: number;
                    /** @description The last failure; null if there was none. */
                    readonly lastError: {
                        /**
                         * Format: date-time
                         * @description When.
                         */
                        readonly at: string;
                        /** @description Why. */
                        readonly message: string;
                    } | null;
                    /** @description The operator's last import, if it was refused; null otherwise. */
                    readonly refusedImport: {
                        /**
                         * Format: date-time
                         * @description When.
                         */
                        readonly at: string;
                        /** @description Why. */
                        readonly message: string;
                    } | null;
                } | null;
                /** @description A hash of the data; null if nothing is loaded. */
                readonly snapshot: string | null;
                /** @description How many PSPs it has. */
                readonly psps: number;
                /** @description How many agents. */
                readonly agents: number;
                /** @description How many PSPs have malformed records; their earlier records are kept. */
                readonly refused: number;
                /** @description The first ten of those PSPs whose earlier records are kept; a check of one says as of when. */
                readonly kept: readonly string[];
                /** @description The first ten PSPs of which a category was withdrawn on a day that cannot be read: its status is null, and it entitles to nothing. */
                readonly undated: readonly string[];
            }[];
            /** @description The revocation lists that are kept. */
            readonly crls: {
                /** @description How many. */
                readonly loaded: number;
                /**
                 * Format: date-time
                 * @description The earliest next update of one; null if there is none.
                 */
                readonly nextUpdate: string | null;
                /** @description How its refreshes go; null if it is not refreshed by itself. */
                readonly refresh: {
                    /**
                     * Format: date-time
                     * @description When the loaded data was last found to be current; null if never.
                     */
                    readonly checkedAt: string | null;
                    /**
                     * Format: date-time
                     * @description When it is looked at next.
                     */
                    readonly nextCheck: string;
                    /** @description How many refreshes have failed since the last one that did not. */
                    readonly failures: number;
                    /** @description The last failure; null if there was none. */
                    readonly lastError: {
                        /**
                         * Format: date-time
                         * @description When.
                         */
                        readonly at: string;
                        /** @description Why. */
                        readonly message: string;
                    } | null;
                    /** @description The operator's last import, if it was refused; null otherwise. */
                    readonly refusedImport: {
                        /**
                         * Format: date-time
                         * @description When.
                         */
                        readonly at: string;
                        /** @description Why. */
                        readonly message: string;
                    } | null;
                } | null;
            };
            /** @description What is wrong with the service's configuration, in sentences. */
            readonly warnings: readonly string[];
        };
        readonly SigningKeys: {
            /** @description Oldest first; the last one signs. */
            readonly keys: readonly {
                /**
                 * @description An octet key pair (RFC 8037).
                 * @constant
                 */
                readonly kty: "OKP";
                /**
                 * @description The curve.
                 * @constant
                 */
                readonly crv: "Ed25519";
                /** @description The public key, base64url. */
                readonly x: string;
                /** @description What `keyid` of a signature names: the time when the key was made. */
                readonly kid: string;
                /**
                 * @description For signatures only.
                 * @constant
                 */
                readonly use: "sig";
                /**
                 * @description The algorithm; `ed25519` in RFC 9421.
                 * @constant
                 */
                readonly alg: "Ed25519";
                /** @description From when on it signed, in seconds since 1970. */
                readonly nbf: number;
                /** @description Until when it signed, in seconds since 1970; absent while it signs. What it signed before stays proven. */
                readonly exp?: number;
            }[];
        };
        readonly Errors: {
            /** @description What is wrong with the request; the first decides the status. The first check that fails ends the others; of parameters each is named that is wrong. */
            readonly errors: readonly {
                /** @description The id of the request, as in the header x-request-id and in the service's log. */
                readonly id: string;
                /** @description What is wrong, for programs. Codes are stable. */
                readonly code: string;
                /** @description What is wrong, for people: it names the parameter and says what is expected. */
                readonly title: string;
                /** @description The code's entry in the error reference: rule, usual cause, cure. */
                readonly link: string;
            }[];
        };
    };
    responses: never;
    parameters: {
        /** @description The reference that the bank's national authority knows it by. The operator registered it for these credentials. */
        readonly fi_reference_id: string;
        /** @description The version of the interface. `1`: its fields and no other, without breaking changes. `latest`: the newest version, with all fields; it may change. Send the same in all requests. */
        readonly version: "1" | "latest";
        /** @description The bank's own name for what it does, to find the request in both logs: 1 to 128 printable ASCII characters. It is logged and given back. No secret. */
        readonly transaction_reference: string;
        /** @description The eIDAS certificate of the PSP that asks the bank, which authenticates it: base64 of the DER, without line breaks. PEM in base64, several certificates (the issuers after the PSP's) and the byte sequences of RFC 9440 are taken, too. At most 64 KiB and ten certificates. */
        readonly eidas: string;
        /** @description The eIDAS certificate that is checked, in the form of the other endpoints: base64 of the DER, without line breaks. An expired or revoked one is answered, not refused. */
        readonly eidas_subject: string;
        /** @description The certificate of the PSP that shows the token, if it shows one. The token is then active only for the PSP that it was issued to. An empty header is refused. */
        readonly eidas_optional: string;
        /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
        readonly accept_signature: string;
        /** @description The `access_token` of POST /v1/obie/ccg_tokens for the PSP that asks the bank. It authenticates the PSP in place of its certificate, for one scope, until `expires_in` seconds have passed. */
        readonly ccg_token: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    readonly createCoreAuthorizationCode: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description The eIDAS certificate of the PSP that asks the bank, which authenticates it: base64 of the DER, without line breaks. PEM in base64, several certificates (the issuers after the PSP's) and the byte sequences of RFC 9440 are taken, too. At most 64 KiB and ten certificates. */
                readonly eidas: components["parameters"]["eidas"];
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CoreCodeRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RedirectRecord"];
                };
            };
        };
    };
    readonly createCoreToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description The eIDAS certificate of the PSP that asks the bank, which authenticates it: base64 of the DER, without line breaks. PEM in base64, several certificates (the issuers after the PSP's) and the byte sequences of RFC 9440 are taken, too. At most 64 KiB and ten certificates. */
                readonly eidas: components["parameters"]["eidas"];
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CoreTokenRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AccessToken"];
                };
            };
        };
    };
    readonly getCoreToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The `access_token` of the answer that gave it, unchanged. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TokenRecord"] | components["schemas"]["TokenRecordLatest"];
                };
            };
        };
    };
    readonly deleteCoreToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The `access_token` of the answer that gave it, unchanged. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly listAccountTokens: {
        readonly parameters: {
            readonly query?: {
                /** @description From the address in the header Link of the page before; nothing for the first page. */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The bank's identifier of the customer's account, percent-encoded: 1 to 256 characters, no control characters, not `.` or `..`. */
                readonly account_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TokenList"] | components["schemas"]["TokenListLatest"];
                };
            };
        };
    };
    readonly createCcgToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CcgTokenRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CcgToken"];
                };
            };
        };
    };
    readonly createOpenBankingAuthorizationCode: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description The `access_token` of POST /v1/obie/ccg_tokens for the PSP that asks the bank. It authenticates the PSP in place of its certificate, for one scope, until `expires_in` seconds have passed. */
                readonly ccg_token: components["parameters"]["ccg_token"];
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OpenBankingCodeRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RedirectRecord"];
                };
            };
        };
    };
    readonly createOpenBankingToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description The `access_token` of POST /v1/obie/ccg_tokens for the PSP that asks the bank. It authenticates the PSP in place of its certificate, for one scope, until `expires_in` seconds have passed. */
                readonly ccg_token: components["parameters"]["ccg_token"];
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OpenBankingTokenRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OpenBankingAccessToken"];
                };
            };
        };
    };
    readonly getOpenBankingToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description The `access_token` of POST /v1/obie/ccg_tokens for the PSP that asks the bank. It authenticates the PSP in place of its certificate, for one scope, until `expires_in` seconds have passed. */
                readonly ccg_token: components["parameters"]["ccg_token"];
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The `access_token` of the answer that gave it, unchanged. */
                readonly token: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TokenInformation"] | components["schemas"]["TokenInformationLatest"];
                };
            };
        };
    };
    readonly createAccountAccessConsent: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description The `access_token` of POST /v1/obie/ccg_tokens for the PSP that asks the bank. It authenticates the PSP in place of its certificate, for one scope, until `expires_in` seconds have passed. */
                readonly ccg_token: components["parameters"]["ccg_token"];
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AccountAccessConsentRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AccountAccessConsent"] | components["schemas"]["AccountAccessConsentLatest"];
                };
            };
        };
    };
    readonly getAccountAccessConsent: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description The `access_token` of POST /v1/obie/ccg_tokens for the PSP that asks the bank. It authenticates the PSP in place of its certificate, for one scope, until `expires_in` seconds have passed. */
                readonly ccg_token: components["parameters"]["ccg_token"];
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The `consent_id` of the answer that created the consent. */
                readonly consent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AccountAccessConsent"];
                };
            };
        };
    };
    readonly deleteAccountAccessConsent: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description The `access_token` of POST /v1/obie/ccg_tokens for the PSP that asks the bank. It authenticates the PSP in place of its certificate, for one scope, until `expires_in` seconds have passed. */
                readonly ccg_token: components["parameters"]["ccg_token"];
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The `consent_id` of the answer that created the consent. */
                readonly consent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly listPaymentOrderConsents: {
        readonly parameters: {
            readonly query?: {
                /** @description How many consents a page has: 1 to 100. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before; nothing for the first page. */
                readonly cursor?: string;
                /** @description Only this consent: a list of one, or an empty one. */
                readonly consent_id?: string;
            };
            readonly header: {
                /** @description The `access_token` of POST /v1/obie/ccg_tokens for the PSP that asks the bank. It authenticates the PSP in place of its certificate, for one scope, until `expires_in` seconds have passed. */
                readonly ccg_token: components["parameters"]["ccg_token"];
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PaymentOrderConsentList"];
                };
            };
        };
    };
    readonly createPaymentOrderConsent: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description The `access_token` of POST /v1/obie/ccg_tokens for the PSP that asks the bank. It authenticates the PSP in place of its certificate, for one scope, until `expires_in` seconds have passed. */
                readonly ccg_token: components["parameters"]["ccg_token"];
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PaymentOrderConsentRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PaymentOrderConsent"];
                };
            };
        };
    };
    readonly getPaymentOrderConsent: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description The `access_token` of POST /v1/obie/ccg_tokens for the PSP that asks the bank. It authenticates the PSP in place of its certificate, for one scope, until `expires_in` seconds have passed. */
                readonly ccg_token: components["parameters"]["ccg_token"];
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The `consent_id` of the answer that created the consent. */
                readonly consent_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PaymentOrderConsent"];
                };
            };
        };
    };
    readonly checkPsp: {
        readonly parameters: {
            readonly query: {
                /** @description The country where the bank holds the customer's account: a code of ISO 3166-1 in upper or lower case; EL and UK stand for GR and GB. In the sandbox XX and XY, too. */
                readonly jurisdiction: string;
            };
            readonly header: {
                /** @description The eIDAS certificate that is checked, in the form of the other endpoints: base64 of the DER, without line breaks. An expired or revoked one is answered, not refused. */
                readonly eidas: components["parameters"]["eidas_subject"];
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PspCheck"] | components["schemas"]["PspCheckLatest"];
                };
            };
        };
    };
    readonly checkPsps: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PspChecksRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PspChecks"] | components["schemas"]["PspChecksLatest"];
                };
            };
        };
    };
    readonly introspectToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The certificate of the PSP that shows the token, if it shows one. The token is then active only for the PSP that it was issued to. An empty header is refused. */
                readonly eidas?: components["parameters"]["eidas_optional"];
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["IntrospectionRequest"];
                readonly "application/x-www-form-urlencoded": components["schemas"]["IntrospectionRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ActiveToken"] | components["schemas"]["InactiveToken"];
                };
            };
        };
    };
    readonly listAccountPermissions: {
        readonly parameters: {
            readonly query?: {
                /** @description Only those that are active, or only those that have ended. */
                readonly status?: "active" | "ended";
                /** @description The `next_cursor` of the page before, for the same account and status. */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The bank's identifier of the customer's account, percent-encoded: 1 to 256 characters, no control characters, not `.` or `..`. */
                readonly account_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PermissionList"];
                };
            };
        };
    };
    readonly withdrawAccountPermissions: {
        readonly parameters: {
            readonly query?: {
                /** @description Who withdraws: the list shows it in `ended_by`. */
                readonly by?: "bank" | "customer";
            };
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The bank's identifier of the customer's account, percent-encoded: 1 to 256 characters, no control characters, not `.` or `..`. */
                readonly account_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly withdrawAccountPermission: {
        readonly parameters: {
            readonly query?: {
                /** @description Who withdraws: the list shows it in `ended_by`. */
                readonly by?: "bank" | "customer";
            };
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The bank's identifier of the customer's account, percent-encoded: 1 to 256 characters, no control characters, not `.` or `..`. */
                readonly account_id: string;
                /** @description The `id` of a permission in the list of the account. */
                readonly permission_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getAccountBlock: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The bank's identifier of the customer's account, percent-encoded: 1 to 256 characters, no control characters, not `.` or `..`. */
                readonly account_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AccountBlock"];
                };
            };
        };
    };
    readonly putAccountBlock: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The bank's identifier of the customer's account, percent-encoded: 1 to 256 characters, no control characters, not `.` or `..`. */
                readonly account_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AccountBlockRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AccountBlock"];
                };
            };
        };
    };
    readonly deleteAccountBlock: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The bank's identifier of the customer's account, percent-encoded: 1 to 256 characters, no control characters, not `.` or `..`. */
                readonly account_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getLedgerHead: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LedgerHead"];
                };
            };
        };
    };
    readonly compareLedgerHead: {
        readonly parameters: {
            readonly query: {
                /** @description The kept head: the `jws` of an answer of `GET /v1/audit/head`. */
                readonly head: string;
            };
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HeadComparison"];
                };
            };
        };
    };
    readonly listAuditRecords: {
        readonly parameters: {
            readonly query?: {
                /** @description Records from this instant on. It is a calendar date, a time of day and an offset from UTC, in the extended or the basic form of ISO 8601: `2030-01-01T00:00:00Z`, `20300101T020000+0200`. The seconds, their fraction of up to nine digits, and the minutes of the offset may be left out; a day that does not exist is refused. A `+` is sent as `%2B`. */
                readonly from?: string;
                /** @description Records before this instant, in the form of `from`. */
                readonly to?: string;
                /** @description Records about this PSP: its authorisation number, in any spelling. */
                readonly psp_id?: string;
                /** @description Records of this endpoint: its method and path, such as `GET /v1/psp/eidas`; or of withdrawals in the console: `POST /console/permissions/withdraw`. */
                readonly endpoint?: "POST /v1/oauth2/authorization_codes" | "POST /v1/oauth2/tokens" | "GET /v1/oauth2/tokens/{token}" | "DELETE /v1/oauth2/tokens/{token}" | "GET /v1/oauth2/account/{account_id}/tokens" | "POST /v1/obie/ccg_tokens" | "POST /v1/obie/authorization_codes" | "POST /v1/obie/tokens" | "GET /v1/obie/tokens/{token}" | "POST /v1/obie/account_access_consents" | "GET /v1/obie/account_access_consents/{consent_id}" | "DELETE /v1/obie/account_access_consents/{consent_id}" | "POST /v1/obie/payment_order_consents" | "GET /v1/obie/payment_order_consents" | "GET /v1/obie/payment_order_consents/{consent_id}" | "GET /v1/psp/eidas" | "POST /v1/psp/checks" | "POST /v1/introspect" | "GET /v1/accounts/{account_id}/permissions" | "DELETE /v1/accounts/{account_id}/permissions" | "DELETE /v1/accounts/{account_id}/permissions/{permission_id}" | "GET /v1/accounts/{account_id}/block" | "PUT /v1/accounts/{account_id}/block" | "DELETE /v1/accounts/{account_id}/block" | "GET /v1/audit/head" | "GET /v1/audit/head/comparison" | "GET /v1/audit/records" | "GET /v1/audit/records/{evidence_id}" | "GET /v1/audit/records/{evidence_id}/documents/{sha256}" | "GET /v1/psp/watches" | "PUT /v1/psp/watches/{authorisation_number}" | "DELETE /v1/psp/watches/{authorisation_number}" | "GET /v1/events" | "POST /v1/obie/ccg_token" | "POST /v1/obie/authorization_code" | "POST /v1/obie/token" | "GET /v1/obie/token/{token}" | "GET /v1/tpp/eidas" | "POST /console/check" | "POST /console/check/{id}" | "POST /console/permissions/withdraw" | "POST /console/permissions/block" | "POST /console/events/watch" | "POST /console/events/unwatch";
                /** @description The `next_cursor` of the page before, for the same parameters. */
                readonly cursor?: string;
                /** @description How many records a page has: 1 to 200. */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditRecordList"];
                };
            };
        };
    };
    readonly getAuditRecord: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The `x-evidence-id` of an answer. */
                readonly evidence_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditRecord"];
                };
            };
        };
    };
    readonly getAuditDocument: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The `x-evidence-id` of an answer. */
                readonly evidence_id: string;
                /** @description The `sha256` of a document in the record's `evidence`. */
                readonly sha256: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
        };
    };
    readonly listWatches: {
        readonly parameters: {
            readonly query?: {
                /** @description The `next_cursor` of the page before; nothing for the first page. */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WatchList"];
                };
            };
        };
    };
    readonly putWatch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The authorisation number of a PSP, in any spelling, percent-encoded. */
                readonly authorisation_number: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WatchRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Watch"];
                };
            };
        };
    };
    readonly deleteWatch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path: {
                /** @description The authorisation number of a PSP, in any spelling, percent-encoded. */
                readonly authorisation_number: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly listEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description The `next_after` of the answer before; nothing for the oldest events that are kept. */
                readonly after?: string;
                /** @description How many events an answer has at most: 1 to 100. */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventList"];
                };
            };
        };
    };
    readonly getHealth: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    readonly getStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    readonly getSigningKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered. */
                readonly "Accept-Signature"?: components["parameters"]["accept_signature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SigningKeys"];
                };
            };
        };
    };
}
