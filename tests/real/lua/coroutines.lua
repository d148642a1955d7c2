-- Coroutines: generators, producers and consumers, errors inside, wrap, yields across pcall and metamethods, schedulers.
local function numbers(limit) return coroutine.wrap(function() for i = 1, limit do coroutine.yield(i) end end) end
for n in numbers(5) do io.write(n, " ") end
print()

local function permutations(list)
  local function go(n)
    if n == 0 then coroutine.yield(table.concat(list)) return end
    for i = 1, n do
      list[n], list[i] = list[i], list[n]
      go(n - 1)
      list[n], list[i] = list[i], list[n]
    end
  end
  return coroutine.wrap(function() go(#list) end)
end
for p in permutations { "a", "b", "c" } do io.write(p, " ") end
print()

local co = coroutine.create(function(a, b)
  print("start", a, b)
  local c = coroutine.yield(a + b)
  print("got", c)
  local d, e = coroutine.yield(c * 2)
  print("got", d, e)
  return "done", d .. e
end)
print(coroutine.status(co), coroutine.resume(co, 1, 2))
print(coroutine.resume(co, 10))
print(coroutine.resume(co, "x", "y"))
print(coroutine.status(co), coroutine.resume(co))

local failing = coroutine.create(function() local x = coroutine.yield() ; error({ code = x }) end)
coroutine.resume(failing)
local ok, problem = coroutine.resume(failing, 42)
print(ok, type(problem), problem.code, coroutine.status(failing))
print(pcall(coroutine.wrap(function() error("inside") end)))

local protected = coroutine.wrap(function()
  local ok, message = pcall(function()
    local value = coroutine.yield("from pcall")
    error("with " .. value, 0)
  end)
  coroutine.yield(message)
  local lazy = setmetatable({}, { __index = function(_, i) return coroutine.yield("meta " .. i) end })
  for i = 1, 3 do coroutine.yield("value " .. lazy[i]) end
  return "end"
end)
print(protected(), protected("resumed"), protected(), protected("p"), protected(), protected("q"), protected(), protected("r"), protected())

local log = {}
local function task(name, steps)
  return coroutine.create(function()
    for step = 1, steps do log[#log + 1] = name .. step; coroutine.yield() end
  end)
end
local queue = { task("a", 3), task("b", 1), task("c", 4) }
while #queue > 0 do
  local first = table.remove(queue, 1)
  coroutine.resume(first)
  if coroutine.status(first) ~= "dead" then queue[#queue + 1] = first end
end
print(table.concat(log, " "))

local function gen(n) return coroutine.wrap(function() for i = 2, n do coroutine.yield(i) end end) end
local function filter(p, g) return coroutine.wrap(function() for n in g do if n % p ~= 0 then coroutine.yield(n) end end end) end
local source = gen(60)
while true do
  local prime = source()
  if not prime then break end
  io.write(prime, " ")
  source = filter(prime, source)
end
print()
print(coroutine.isyieldable(), coroutine.running() ~= nil, select(2, coroutine.running()))
local closing = coroutine.create(function() local guard <close> = setmetatable({}, { __close = function() print("guard closed") end }); coroutine.yield() end)
coroutine.resume(closing)
print(coroutine.close(closing), coroutine.status(closing))
local function deep(n) if n == 0 then coroutine.yield("bottom") else deep(n - 1) end return n end
local d = coroutine.wrap(function() return deep(150) end)
print(d(), d())
