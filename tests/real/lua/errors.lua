-- Errors: pcall, error objects and levels, xpcall with a traceback, rethrowing, runtime errors and their messages.
print(pcall(error))
print(pcall(error, nil))
print(pcall(error, "plain", 0))
print(pcall(function() error("with position") end))
print(pcall(function() local function inner() error("level two", 2) end inner() end))
print(select("#", pcall(function() return 1, nil, 3 end)), pcall(function() return 1, nil, 3 end))
local object = setmetatable({ code = 7 }, { __tostring = function(e) return "object " .. e.code end })
local ok, caught = pcall(error, object)
print(ok, caught == object, tostring(caught))

local function a() local x = nil; return x.field end
local function b() return #5 end
local function c() return {} + 1 end
local function d() return "a" + 1 end
local function e() return {} < {} end
local function f() return 1 < "2" end
local function g() undefined_function() end
local function h() return ("x"):nomethod() end
local function i() return 1 // 0 end
local function j() return 1 % 0 end
local function k() return 2^53 | 0.5 end
local function l() return "abc" .. {} end
local function m() local t = setmetatable({}, { __newindex = function() error("read only", 2) end }); t.x = 1 end
local function n() for i = 1, 10, 0 do end end
local function o() return math.tointeger("x") + 1 end
local function p() string.rep() end
local function q() ("x"):rep(math.maxinteger) end
local function r() return table.concat({ 1, {}, 3 }) end
local function s() t.x.y = 1 end
local function u() return 1 & 1.5 end
local function v() setmetatable(1, {}) end
local function w() return load("x = = 1") end
local function x() return select(0) end
local function y() return ipairs() end
for index, f in ipairs { a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, x, y } do print(index, pcall(f)) end
print(w())
print(load("return 1 +"))
print(load("for"))
print(load("x = 'unclosed"))
print(load("goto nowhere"))
print(load("local x <const> = 1; x = 2"))
print(load("return ...", "chunk", "t", {})(99))

print(xpcall(function() error("traced") end, function(m) return "handled: " .. m end))
print((select(2, xpcall(function() local t = {}; t.x.y = 1 end, debug.traceback)):gsub("\n.*\n", "\n...\n")))
print(xpcall(function(...) return select("#", ...) end, print, 1, 2, 3))
print(xpcall(error, function(m) error("again") end, "first"))
local function recurse() return (("x"):gsub("x", recurse)) end
local ok, message = pcall(recurse)
print(ok, (message:match("stack overflow")))

local function try(action, catch, finally)
  local results = table.pack(pcall(action))
  if not results[1] and catch then results = table.pack(pcall(catch, results[2])) end
  if finally then finally() end
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end
print(try(function() error("E1", 0) end, function(e) return "caught " .. e end, function() io.write("finally; ") end))
print(pcall(try, function() error("E2", 0) end, function(e) error(e .. " rethrown", 0) end, function() io.write("finally; ") end))
print(pcall(assert, false), pcall(assert, nil, "message"), pcall(assert, 1, 2, 3))
print(pcall(string.dump, print))
warn("@on")
warn("a ", "warning")
error(setmetatable({}, { __tostring = function() return "the last error, uncaught" end }))
