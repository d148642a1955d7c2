-- The utf8 library, os.time of fixed tables and os.date in UTC, os and io odds, load and require odds.
local text = "aé€😀z"
print(#text, utf8.len(text), utf8.codepoint(text, 1, -1))
for position, code in utf8.codes(text) do io.write(position, ":", code, " ") end
print()
print(utf8.char(72, 228, 8364, 128512), utf8.offset(text, 3), utf8.offset(text, -1), utf8.len("\xff"), utf8.charpattern)
for char in text:gmatch(utf8.charpattern) do io.write("[", char, "]") end
print(pcall(utf8.codepoint, "\xff"), utf8.len(text, 3, 2), utf8.len("", 1))

print(os.date("!%Y-%m-%d %H:%M:%S", 0), os.date("!%A %d %B %Y, week day %w, day %j", 1e9 // 1 | 0), os.date("!%c", 1234567890), os.date("!%x %X %p %%", 86399))
local parts = os.date("!*t", 951782400)
print(parts.year, parts.month, parts.day, parts.hour, parts.min, parts.sec, parts.wday, parts.yday, parts.isdst)
print(os.time { year = 2024, month = 2, day = 29, hour = 12 } - os.time { year = 2024, month = 1, day = 1, hour = 12 })
print(os.time { year = 2024, month = 14, day = -3, hour = 12 } - os.time { year = 2024, month = 1, day = 1, hour = 12 })
print(pcall(os.time, { year = 2024 }), pcall(os.date, "%Ez", 0), os.difftime(10, 5))
print(type(os.time()), type(os.clock()), os.getenv("SURELY_NOT_SET_ANYWHERE"), os.setlocale("C"), os.setlocale(nil))
print(io.open("/nowhere/at/all"))
print(pcall(io.lines, "/nowhere/at/all"))
local file = io.tmpfile()
file:write("first line\n", 42, " ", 3.5, " 0x1F\nlast")
print(file:seek("cur"), file:seek("set"))
print(file:read("L"), file:read("n", "n", "n"), file:read("l"), file:read(2), file:read("a"), file:read("a"), file:read("l"))
file:seek("set", 6)
for line in file:lines() do io.write("<", line, ">") end
print(file:close(), io.type(file), io.type(io.stdout), io.type(5))
print(io.read("l"), io.read("n"), io.read("n"), io.read("l"), io.read(4), io.read("a"), io.read("l"))
io.stdout:write("chained ", "writes ", 1, " ", 2.5, "\n")
io.stderr:write("to standard error\n")
print(load("local a, b = ... return a * b")(6, 7), type(load(function() return nil end)), #string.dump(function() return 1 end) > 0)
print(load(string.dump(function(x) return x + 1 end), "dumped", "b")(41), pcall(load, "return 1", "n", "b"))
print(package.path ~= nil, pcall(require, "does.not.exist") == false, _VERSION, type(package.loaded.string))
print(rawequal(_G, _ENV), _G._G == _G, debug.getinfo(1, "l").currentline, debug.getinfo(print).what)
