-- Asks psp-gate whether the request may pass. Needs Debian's package lua-socket.
local http = require "socket.http"
http.TIMEOUT = 5

local GATE = "http://127.0.0.1:8787/v1/access?"
local FOR_BACKEND = {
  "psp-id", "account-id", "consent-id", "permissions", "transaction-from", "transaction-to", "expires-in",
}

local function check(r, needed)
  local _, status, headers = http.request({
    url = GATE .. needed,
    headers = {
      ["Authorization"] = "Basic c2FuZGJveC1maTpzYW5kYm94LXNlY3JldA==",
      ["fi_reference_id"] = "PSDXX-TEST-FI0001",
      ["version"] = "1",
      ["access_token"] = r.headers_in["Authorization"] or "",
      -- on one line: a header has no line breaks
      ["eidas"] = (r:ssl_var_lookup("SSL_CLIENT_CERT") or ""):gsub("\n", " "),
    },
  })

  if status == 200 then
    for _, name in ipairs(FOR_BACKEND) do
      -- what the PSP has sent under this name does not pass; a backend may read psp_id as psp-id
      r.headers_in[(name:gsub("-", "_"))] = nil
      r.headers_in[name] = headers[name]
    end
    -- Apache drops the headers that it names
    r.headers_in["Connection"] = nil
    return apache2.OK
  end
  -- the challenge of RFC 6750 is for the PSP; every other refusal is for who runs the gateway
  local challenge = headers and headers["www-authenticate"] or ""
  if not challenge:find("^Bearer ") then return 503 end
  r.err_headers_out["WWW-Authenticate"] = challenge
  return status
end

-- one for each group of pages
function accounts(r) return check(r, "scope=accounts") end
