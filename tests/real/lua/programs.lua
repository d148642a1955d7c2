-- Small programs: n queens, a sieve, string buffers, a tokenizer, the word frequencies of a text, matrices, a bank.
local function queens(n)
  local count, columns, up, down = 0, {}, {}, {}
  local function place(row)
    if row > n then count = count + 1 return end
    for column = 1, n do
      if not (columns[column] or up[row + column] or down[row - column + n]) then
        columns[column], up[row + column], down[row - column + n] = true, true, true
        place(row + 1)
        columns[column], up[row + column], down[row - column + n] = nil, nil, nil
      end
    end
  end
  place(1)
  return count
end
print(queens(4), queens(5), queens(6))

local function sieve(limit)
  local composite, primes = {}, {}
  for i = 2, limit do
    if not composite[i] then
      primes[#primes + 1] = i
      for j = i * i, limit, i do composite[j] = true end
    end
  end
  return primes
end
local primes = sieve(2000)
print(#primes, primes[1], primes[100], primes[#primes])

local buffer = {}
for i = 1, 200 do buffer[#buffer + 1] = ("%03d:%s"):format(i, ("*"):rep(i % 7)) end
local joined = table.concat(buffer, ";")
print(#joined, joined:sub(1, 40), joined:sub(-20))
local slow = ""
for i = 1, 100 do slow = slow .. i .. "," end
print(#slow, slow:sub(-12))

local function evaluate(expression)
  local tokens, at = {}, 1
  for token in expression:gmatch("%d+%.?%d*|[-+*/^()]") do tokens[#tokens + 1] = token end
  tokens = {}
  for number, operator in expression:gmatch("(%d*%.?%d*)([-+*/^()]?)") do
    if number ~= "" then tokens[#tokens + 1] = tonumber(number) end
    if operator ~= "" then tokens[#tokens + 1] = operator end
  end
  local levels = { ["+"] = 1, ["-"] = 1, ["*"] = 2, ["/"] = 2, ["^"] = 3 }
  local apply = { ["+"] = function(a, b) return a + b end, ["-"] = function(a, b) return a - b end, ["*"] = function(a, b) return a * b end,
    ["/"] = function(a, b) return a / b end, ["^"] = function(a, b) return a ^ b end }
  local expression_from
  local function atom()
    local token = tokens[at]
    at = at + 1
    if token == "(" then local value = expression_from(1); at = at + 1; return value end
    if token == "-" then return -atom() end
    return token
  end
  function expression_from(level)
    local left = atom()
    while levels[tokens[at]] and levels[tokens[at]] >= level do
      local operator = tokens[at]
      at = at + 1
      left = apply[operator](left, expression_from(levels[operator] + (operator == "^" and 0 or 1)))
    end
    return left
  end
  return expression_from(1)
end
print(evaluate("1+2*3"), evaluate("(1+2)*3"), evaluate("2^3^2"), evaluate("-4/8+0.5"), evaluate("10-4-3"))

local account = {}
account.__index = account
function account.open(owner, balance) return setmetatable({ owner = owner, balance = balance or 0, history = {} }, account) end
function account:deposit(amount)
  if amount <= 0 then error("invalid amount " .. amount, 2) end
  self.balance = self.balance + amount
  self.history[#self.history + 1] = amount
  return self
end
function account:withdraw(amount)
  if amount > self.balance then error { owner = self.owner, missing = amount - self.balance } end
  self.balance = self.balance - amount
  self.history[#self.history + 1] = -amount
  return self
end
local savings = account.open("Ada", 100)
print(savings:deposit(50):withdraw(30).balance, #savings.history)
local ok, problem = pcall(savings.withdraw, savings, 500)
print(ok, problem.owner, problem.missing, pcall(savings.deposit, savings, -1))

local function life(grid, steps)
  local h, w = #grid, #grid[1]
  for _ = 1, steps do
    local next = {}
    for y = 1, h do
      next[y] = {}
      for x = 1, w do
        local count = 0
        for dy = -1, 1 do for dx = -1, 1 do
          if (dx ~= 0 or dy ~= 0) then count = count + grid[(y + dy - 1) % h + 1][(x + dx - 1) % w + 1] end
        end end
        next[y][x] = (count == 3 or (count == 2 and grid[y][x] == 1)) and 1 or 0
      end
    end
    grid = next
  end
  return grid
end
local grid = {}
for y = 1, 8 do grid[y] = {} for x = 1, 8 do grid[y][x] = 0 end end
grid[1][2], grid[2][3], grid[3][1], grid[3][2], grid[3][3] = 1, 1, 1, 1, 1
for _, row in ipairs(life(grid, 8)) do print(table.concat(row)) end
