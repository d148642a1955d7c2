-- Makes garbage of all kinds, in incremental and generational mode; only what survives is printed.
local function churn(rounds)
  local kept = {}
  for i = 1, rounds do
    local t = { i, { i * 2 }, name = "object " .. i, f = function() return i end }
    t.self = t
    if i % 50 == 0 then kept[#kept + 1] = t end
    local s = ("x"):rep(i % 100) .. i
    if #s > 99 then kept[#kept + 1] = { #s, s, f = function() return #s end } end
  end
  local sum = 0
  for _, t in ipairs(kept) do sum = sum + t[1] + t.f() end
  return #kept, sum
end
print(churn(400))
collectgarbage("generational")
print(churn(400))
collectgarbage("incremental")
collectgarbage("setpause", 170)
print(churn(300))
collectgarbage("stop")
print(collectgarbage("isrunning"))
collectgarbage("restart")
print(collectgarbage("isrunning"), collectgarbage("count") > 0, collectgarbage("step", 100) ~= nil)
local order = {}
for i = 1, 3 do setmetatable({}, { __gc = function() order[#order + 1] = i end }) end
collectgarbage()
print(table.concat(order, " "))
local values = setmetatable({}, { __mode = "v" })
values[1], values[2], values[3] = {}, "strings stay", print
local held = {}
values[4] = held
collectgarbage()
print(values[1], values[2], values[3] == print, values[4] == held)
local ephemeron = setmetatable({}, { __mode = "k" })
do local key = {}; ephemeron[key] = { key } end
collectgarbage()
print(next(ephemeron))
local resurrected
do setmetatable({ "back" }, { __gc = function(o) resurrected = o end }) end
collectgarbage()
print(resurrected and resurrected[1])
setmetatable({}, { __gc = function() print("collected when the state closes") end })
local chain = nil
for i = 1, 2000 do chain = { chain } end
local depth = 0
while chain do chain, depth = chain[1], depth + 1 end
print(depth)
