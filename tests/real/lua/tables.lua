-- Tables: sort, concat, insert, remove, move, pack, unpack, length, nested, as sets, queues and matrices.
local function show(t) print(#t, table.concat(t, ",")) end
local list = { 5, 2, 8, 1, 9, 3 }
table.sort(list) show(list)
table.sort(list, function(a, b) return a > b end) show(list)
table.insert(list, 100) table.insert(list, 1, 0) show(list)
print(table.remove(list), table.remove(list, 1), table.remove(list, 3), table.remove({})) show(list)
show(table.move({ 1, 2, 3 }, 1, 3, 3)) show(table.move({ 1, 2, 3, 4 }, 2, 4, 1)) show(table.move({ 1, 2 }, 1, 2, 2, { 9 }))
print(table.unpack({ 1, 2, 3 }, 2), table.unpack({ 1, nil, 3 }, 1, 3), select("#", table.unpack({}, 1, 4)), table.pack(nil, 2, nil).n)
print(table.concat({}, ","), table.concat({ 1, 2.5, "x" }, " "), table.concat({ 1, 2, 3, 4 }, "-", 2, 3))
local words = {}
for word in ("the rain in spain stays mainly in the plain"):gmatch("%a+") do words[#words + 1] = word end
table.sort(words, function(a, b) if #a ~= #b then return #a < #b end return a < b end) show(words)
local big = {}
local state = 12345
for i = 1, 300 do state = (state * 1103515245 + 12345) % 2147483648; big[i] = state % 1000 end
table.sort(big)
local sorted = true
for i = 2, #big do sorted = sorted and big[i - 1] <= big[i] end
print(sorted, big[1], big[150], big[300])
print(pcall(table.sort, { 3, 1, "x" }), pcall(table.insert, { 1 }, 5, 2), pcall(table.concat, { {} }))

local counts, keys = {}, {}
for char in ("mississippi"):gmatch(".") do
  if not counts[char] then keys[#keys + 1] = char end
  counts[char] = (counts[char] or 0) + 1
end
table.sort(keys)
for _, key in ipairs(keys) do io.write(key, "=", counts[key], " ") end
print()
local sparse = { [1] = "a", [2] = "b", [4] = "d", [10] = "j", x = 1, [2.0] = "two", [-1] = "minus" }
print(sparse[2], sparse[4], sparse[-1], sparse.x, sparse[3], rawlen({ 1, 2 }))
local n = 0
for _ in pairs(sparse) do n = n + 1 end
print(n, next({}), type(next), #{ 1, 2, 3, nil }, #{ n = 5 })
for k in pairs(sparse) do sparse[k] = nil end
print(next(sparse))
local function product(a, b)
  local out = {}
  for i = 1, #a do
    out[i] = {}
    for j = 1, #b[1] do
      local sum = 0
      for k = 1, #b do sum = sum + a[i][k] * b[k][j] end
      out[i][j] = sum
    end
  end
  return out
end
for _, row in ipairs(product({ { 1, 2 }, { 3, 4 }, { 5, 6.5 } }, { { 1, 0, 2 }, { 0, 1, -1 } })) do show(row) end
local queue = { first = 1, last = 0 }
local function push(v) queue.last = queue.last + 1; queue[queue.last] = v end
local function pop() local v = queue[queue.first]; queue[queue.first] = nil; queue.first = queue.first + 1; return v end
for i = 1, 50 do push(i * i) end
for i = 1, 45 do pop() end
print(pop(), pop(), queue.last - queue.first)
local function copy(t) if type(t) ~= "table" then return t end local c = {} for k, v in pairs(t) do c[copy(k)] = copy(v) end return c end
local original = { a = { b = { 1, 2, { 3 } } } }
local copied = copy(original)
copied.a.b[3][1] = 99
print(original.a.b[3][1], copied.a.b[3][1])
local nested = {}
for i = 1, 100 do nested[i] = { value = i, name = "n" .. i } end
table.sort(nested, function(x, y) return x.name < y.name end)
print(nested[1].value, nested[2].value, nested[50].value, nested[100].value)
