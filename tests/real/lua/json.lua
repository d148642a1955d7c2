-- A JSON encoder and decoder, with errors and round trips.
local json = {}
local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r" }
local function quote(s)
  return '"' .. s:gsub('[%c"\\]', function(c) return escapes[c] or ("\\u%04x"):format(c:byte()) end) .. '"'
end
function json.encode(value, indent, level)
  local kind = type(value)
  if kind == "string" then return quote(value) end
  if kind == "number" then return math.type(value) == "integer" and ("%d"):format(value) or ("%.14g"):format(value) end
  if kind ~= "table" then return tostring(value) end
  level = (level or 0) + 1
  local newline = indent and "\n" .. indent:rep(level) or ""
  local items = {}
  if #value > 0 or next(value) == nil then
    for i, item in ipairs(value) do items[i] = newline .. json.encode(item, indent, level) end
    return "[" .. table.concat(items, ",") .. (indent and #items > 0 and "\n" .. indent:rep(level - 1) or "") .. "]"
  end
  local keys = {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys)
  for i, key in ipairs(keys) do items[i] = newline .. quote(key) .. (indent and ": " or ":") .. json.encode(value[key], indent, level) end
  return "{" .. table.concat(items, ",") .. (indent and "\n" .. indent:rep(level - 1) or "") .. "}"
end

json.null = setmetatable({}, { __tostring = function() return "null" end })
local function fail(position, what) error(("%s at %d"):format(what, position), 0) end
local parse
local function skip(s, i) return s:find("[^ \n\r\t]", i) or #s + 1 end
local back = { n = "\n", t = "\t", r = "\r", b = "\b", f = "\f" }
local function parse_string(s, i)
  local parts = {}
  local at = i + 1
  while true do
    local stop = s:find('["\\]', at) or fail(i, "unterminated string")
    parts[#parts + 1] = s:sub(at, stop - 1)
    if s:sub(stop, stop) == '"' then return table.concat(parts), stop + 1 end
    local escape = s:sub(stop + 1, stop + 1)
    if escape == "u" then
      parts[#parts + 1] = utf8.char(tonumber(s:sub(stop + 2, stop + 5), 16) or fail(stop, "bad escape"))
      at = stop + 6
    else
      parts[#parts + 1] = back[escape] or escape
      at = stop + 2
    end
  end
end
local function parse_list(s, i, close, item)
  local out = {}
  i = skip(s, i + 1)
  if s:sub(i, i) == close then return out, i + 1 end
  while true do
    i = item(out, i)
    i = skip(s, i)
    local mark = s:sub(i, i)
    if mark == close then return out, i + 1 end
    if mark ~= "," then fail(i, "expected , or " .. close) end
    i = skip(s, i + 1)
  end
end
function parse(s, i)
  i = skip(s, i)
  local c = s:sub(i, i)
  if c == "{" then
    return parse_list(s, i, "}", function(out, at)
      if s:sub(at, at) ~= '"' then fail(at, "expected a key") end
      local key, after = parse_string(s, at)
      after = skip(s, after)
      if s:sub(after, after) ~= ":" then fail(after, "expected :") end
      out[key], after = parse(s, after + 1)
      return after
    end)
  elseif c == "[" then
    return parse_list(s, i, "]", function(out, at) out[#out + 1], at = parse(s, at) return at end)
  elseif c == '"' then return parse_string(s, i) end
  local number = s:match("^-?%d+%.?%d*[eE]?[+-]?%d*", i)
  if number then return tonumber(number) or fail(i, "bad number"), i + #number end
  for word, value in pairs { ["true"] = true, ["false"] = false, null = json.null } do
    if s:sub(i, i + #word - 1) == word then return value, i + #word end
  end
  fail(i, "unexpected character")
end
function json.decode(s)
  local value, i = parse(s, 1)
  if skip(s, i) <= #s then fail(i, "trailing text") end
  return value
end

local documents = {
  '{"name":"Lua","version":5.4,"list":[1,2.5,-3e2,true,false,null],"nested":{"a":{"b":[]},"quote":"say \\"hi\\"\\n"}}',
  ' [ "\\u0041\\u00e9\\u20ac" , { "k" : [ ] } , [[[[]]]] ] ', '"text"', "12345678901", "-0.5e-3", "[1,2", '{"a":}', '{"a" 1}', "[1 2]", '"open', "nope", "[] x",
}
for _, document in ipairs(documents) do
  local ok, value = pcall(json.decode, document)
  print(ok, ok and json.encode(value) or value)
  if ok then
    local pretty = json.encode(value, "  ")
    print(json.encode(json.decode(pretty)) == json.encode(value), select(2, pretty:gsub("\n", "")))
  end
end
print(json.encode(json.decode(documents[1]), "\t"))
