-- Asks psp-gate whether the request may pass, by the frontend gate. HAProxy has its HTTP client built in.
local GATE = "http://127.0.0.1:8788/v1/access?"
local INSTITUTION = {
  ["authorization"] = { "Basic c2FuZGJveC1maTpzYW5kYm94LXNlY3JldA==" },
  ["fi_reference_id"] = { "PSDXX-TEST-FI0001" },
  ["version"] = { "1" },
}
local FOR_BACKEND = {
  "psp-id", "account-id", "consent-id", "permissions", "transaction-from", "transaction-to", "expires-in",
}

local function first(headers, name)
  return headers and headers[name] and headers[name][0]
end

core.register_action("access", { "http-req" }, function(txn, needed)
  local headers = { ["eidas"] = { txn:get_var("txn.eidas") or "" } }
  for name, value in pairs(INSTITUTION) do headers[name] = value end
  headers["access_token"] = { first(txn.http:req_get_headers(), "authorization") or "" }
  local answer = core.httpclient():get({ url = GATE .. needed, headers = headers, timeout = 10000 })

  if answer and answer.status == 200 then
    txn:set_var("txn.allowed", "yes")
    for _, name in ipairs(FOR_BACKEND) do
      -- what the PSP has sent under this name does not pass; a backend may read psp_id as psp-id
      txn.http:req_del_header(name)
      txn.http:req_del_header((name:gsub("-", "_")))
      local value = first(answer.headers, name)
      if value then txn.http:req_add_header(name, value) end
    end
    return
  end
  -- the challenge of RFC 6750 is for the PSP; every other refusal is for who runs the gateway
  local challenge = first(answer and answer.headers, "www-authenticate") or ""
  local reply = txn:reply()
  if challenge:find("^Bearer ") then
    reply:set_status(answer.status)
    reply:add_header("www-authenticate", challenge)
  else
    reply:set_status(503)
  end
  txn:done(reply)
end, 1)
