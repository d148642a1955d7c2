-- goto, continue, nested breaks, repeat scopes, numeric loops of all kinds, integer division and bits.
for i = 1, 10 do
  if i % 3 == 0 then goto continue end
  io.write(i, " ")
  ::continue::
end
print()
do
  local i = 1
  ::top::
  if i <= 3 then
    for j = 1, 3 do
      if j == 2 then i = i + 1; goto top end
      io.write(i, ",", j, " ")
    end
  end
end
print()
for i = 1, 3 do for j = 1, 3 do if i * j == 4 then goto out end io.write(i * j, " ") end end
::out::
print("out")
local n = 0
repeat local done = n >= 3; n = n + 1 until done
print(n)
while true do n = n - 1; if n < 0 then break end end
print(n)
for x = 1, 0 do print("never") end
for x = 3, 1, -1 do io.write(x, " ") end
for x = 0.0, 1.0, 0.25 do io.write(x, " ") end
for x = math.maxinteger - 2, math.maxinteger do io.write(x, " ") end
for x = 1, math.huge do if x > 3 then break end io.write(x, " ") end
print()
print(7 // 2, -7 // 2, 7 // -2, -7 % 3, 7 % -3, 7.5 // 2, -7.5 % 2, 5 % math.huge, -5 % math.huge, 1e308 * 10, 3 / 2, 4 / 2)
print(1 << 62, 1 << 63, 1 << 64, 1 >> 1, -1 >> 60, ~0, 5 & 3, 5 | 3, 5 ~ 3, 2^10, 10 // 0.0, -10 // 0.0, 0.0 / 0.0 ~= 0.0 / 0.0)
print(math.maxinteger + 1 == math.mininteger, math.mininteger // -1, math.mininteger % -1, math.maxinteger * 2.0, 9007199254740993, 2^53 + 1)
print(1 == 1.0, math.type(1), math.type(1.0), math.type("1"), 1 < 1.5, math.maxinteger < math.huge, math.maxinteger + 0.0 == math.maxinteger)
print("10" + 5, "0x10" * 2, "3" .. 4, 10 .. "", -"2", "1e1" + 0, 10 == "10")
print(math.floor(-3.5), math.ceil(-3.5), math.fmod(-7, 3), math.fmod(7, -3.5), math.modf(-3.7), math.tointeger(3.0), math.tointeger(3.5), math.abs(math.mininteger))
print(math.max(1, 5.5, 3), math.min(2, -1), math.ult(1, -1), math.sqrt(2), math.exp(1), math.log(10), math.log(8, 2), math.log(1000, 10))
print(string.format("%.14g %.14g %.14g %.14g", math.sin(1), math.cos(1), math.tan(1), math.atan(1, 2)), math.pi)
math.randomseed(42)
local r = {}
for i = 1, 5 do r[i] = math.random(100) end
print(table.concat(r, " "), math.random(5, 5), math.random() < 1)
