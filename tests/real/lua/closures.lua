-- Closures: counters, shared upvalues, currying, memoising, loops that capture fresh variables.
local function counter(start, step)
  local value = start or 0
  return function() value = value + (step or 1); return value end, function(new) value = new end
end
local up, reset = counter(10, 5)
print(up(), up(), up())
reset(-1)
print(up())

local captured = {}
for i = 1, 5 do captured[i] = function() i = i * 10; return i end end
for i = 1, 5 do io.write(captured[i](), " ", captured[i](), " ") end
print()

local function curry(f, n)
  n = n or 2
  local function collect(args, left)
    return left == 0 and f(table.unpack(args)) or function(x)
      local more = { table.unpack(args) }
      more[#more + 1] = x
      return collect(more, left - 1)
    end
  end
  return collect({}, n)
end
print(curry(function(a, b, c) return a .. "-" .. b .. "-" .. c end, 3)("x")("y")("z"))

local calls = 0
local function memoise(f)
  local known = {}
  return function(n)
    local found = known[n]
    if found == nil then found = f(n); known[n] = found end
    return found
  end
end
local fib
fib = memoise(function(n) calls = calls + 1; return n < 2 and n or fib(n - 1) + fib(n - 2) end)
print(fib(80), calls)

local function compose(...)
  local functions = { ... }
  return function(...)
    local results = table.pack(...)
    for i = #functions, 1, -1 do results = table.pack(functions[i](table.unpack(results, 1, results.n))) end
    return table.unpack(results, 1, results.n)
  end
end
print(compose(function(x) return x + 1 end, function(a, b) return a * b end)(6, 7))
print(select("#", compose()(nil, nil, nil)), select(-1, 1, 2, 3), (select(2, "a", "b", "c")))

local y = function(f) return (function(x) return x(x) end)(function(x) return f(function(...) return x(x)(...) end) end) end
print(y(function(self) return function(n) return n == 0 and 1 or n * self(n - 1) end end)(15))

local function varargs(...)
  local a, b = ...
  return a, b, select("#", ...), ...
end
print(varargs(), varargs(1, nil, 3))
do
  local total <const> = 5
  local closed <close> = setmetatable({}, { __close = function() print("closed", total) end })
  print("inside")
end
