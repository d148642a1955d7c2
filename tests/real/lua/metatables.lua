-- Metatables: operators, indexing, calls, comparisons, conversion, inheritance, proxies, iteration, weak tables.
local vector = {}
vector.__index = vector
local function new(x, y) return setmetatable({ x = x, y = y }, vector) end
vector.__add = function(a, b) return new(a.x + b.x, a.y + b.y) end
vector.__sub = function(a, b) return new(a.x - b.x, a.y - b.y) end
vector.__mul = function(a, b)
  if type(a) == "number" then return new(a * b.x, a * b.y) end
  if type(b) == "number" then return b * a end
  return a.x * b.x + a.y * b.y
end
vector.__div = function(a, b) return new(a.x / b, a.y / b) end
vector.__idiv = function(a, b) return new(a.x // b, a.y // b) end
vector.__mod = function(a, b) return new(a.x % b, a.y % b) end
vector.__pow = function(a, b) return new(a.x ^ b, a.y ^ b) end
vector.__unm = function(a) return new(-a.x, -a.y) end
vector.__band = function(a, b) return new(a.x & b, a.y & b) end
vector.__shl = function(a, b) return new(a.x << b, a.y << b) end
vector.__bnot = function(a) return new(~a.x, ~a.y) end
vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end
vector.__lt = function(a, b) return a:length() < b:length() end
vector.__le = function(a, b) return a:length() <= b:length() end
vector.__len = function() return 2 end
vector.__concat = function(a, b) return tostring(a) .. "&" .. tostring(b) end
vector.__tostring = function(v) return "(" .. v.x .. ", " .. v.y .. ")" end
vector.__call = function(v, ...) return v.x, select("#", ...) end
vector.__name = "vector"
function vector:length() return math.sqrt(self * self) end

local a, b = new(3, 4), new(1, -2)
print(tostring(a + b), tostring(a - b), a * b, tostring(2 * a), tostring(a * 2), tostring(a / 2), tostring(a // 2), tostring(a % 2))
print(tostring(a ^ 2), tostring(-a), tostring(a & 1), tostring(a << 3), tostring(~a), #a, a .. b, a .. "!", "!" .. a)
print(a == new(3, 4), a ~= b, rawequal(a, new(3, 4)), a < b, a <= b, a > b, a:length(), a(1, 2, 3))
print(pcall(function() return a + 1 end))
print(pcall(function() return a < 1 end))

local animal = setmetatable({}, { __call = function(class, ...) local o = setmetatable({}, class); o:init(...); return o end })
animal.__index = animal
function animal:init(name) self.name = name end
function animal:speak() return self.name .. " says " .. self:sound() end
function animal:sound() return "nothing" end
local dog = setmetatable({}, { __index = animal, __call = getmetatable(animal).__call })
dog.__index = dog
function dog:sound() return "woof" end
local puppy = setmetatable({}, { __index = dog, __call = getmetatable(animal).__call })
puppy.__index = puppy
function puppy:init(name, age) dog.init(self, name .. " junior"); self.age = age end
function puppy:sound() return dog.sound(self):upper() .. "!" end
print(animal("Generic"):speak(), dog("Rex"):speak(), puppy("Rex", 1):speak(), puppy("x", 3).age)

local log = {}
local proxy = setmetatable({}, {
  __index = function(_, key) log[#log + 1] = "get " .. tostring(key); return key .. "?" end,
  __newindex = function(t, key, value) log[#log + 1] = "set " .. tostring(key); rawset(t, key, value) end,
})
proxy.first = 1
proxy.first = 2
print(proxy.first, proxy.missing, rawget(proxy, "missing"), table.concat(log, ", "))

local defaults = setmetatable({}, { __index = function(t, k) local v = {}; rawset(t, k, v); return v end })
defaults.a.b = 5
print(defaults.a.b, #defaults.c)
local range = setmetatable({}, { __pairs = function() return function(_, i) i = (i or 0) + 1; if i <= 3 then return i, i * i end end, nil, nil end })
for k, v in pairs(range) do io.write(k, "=", v, " ") end
print()
local locked = setmetatable({}, { __metatable = "locked" })
print(getmetatable(locked), pcall(setmetatable, locked, {}))
local weak = setmetatable({}, { __mode = "k" })
for i = 1, 20 do weak[{}] = i end
collectgarbage()
print(next(weak), getmetatable("").__index == string)
local finalised = 0
for i = 1, 10 do setmetatable({}, { __gc = function() finalised = finalised + 1 end }) end
collectgarbage() collectgarbage()
print(finalised)
