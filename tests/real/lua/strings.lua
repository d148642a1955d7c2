-- Strings: patterns, gsub with tables and functions, format, pack and unpack, bytes, comparison.
local text = "The quick brown fox jumps over the lazy dog"
print(text:len(), #text, text:upper(), text:lower():reverse())
print(text:sub(5, 9), text:sub(-3), text:sub(40, 100), text:sub(5, 2) == "", ("x"):rep(5, "-"), ("ab"):rep(0) == "")
print(text:find("fox"), text:find("o", 20), text:find("%w+", 11), text:find(".", 1, true), text:find("^quick"))
print(text:match("(%a+) (%a+)$"), text:match("()jumps()"), ("key = value"):match("^(%w+)%s*=%s*(%w+)$"))
for word, position in text:gmatch("(%a+)()") do io.write(word:sub(1, 1), position, " ") end
print()
print(text:gsub("%a+", function(w) return #w > 4 and w:upper() or nil end))
print(text:gsub("o", "0", 2), ("hello world"):gsub("(%w+) (%w+)", "%2 %1 %0 %%"))
print(("$name is $age"):gsub("%$(%w+)", { name = "Ada", age = 36 }))
print(("  trim me  "):match("^%s*(.-)%s*$") .. "|", ("a,b,,c"):gsub(",", ";"))
print(("f(a(b)c)d"):match("%b()"), ("THE (quick) fox"):find("%((%a+)%)"), ("THE quick"):gsub("%f[%a]%a", string.lower))
print(("abc"):byte(1, -1), string.char(72, 105, 33), ("\0x\0"):len(), ("%d"):rep(3))
print(("x"):byte(10), ("äö"):len(), "\u{48}\u{20AC}\x41\65\z
       continued")
print("a" < "b", "a" < "B", "Z" < "a", "" < "a", "abc" < "abd", "10" < "9", "a\0b" < "a\0c")

print(string.format("%5d|%-5d|%05d|%+d|%x|%X|%#x|%o|%c|%i", 42, 42, 42, 42, 255, 255, 255, 8, 65, -7))
print(string.format("%s|%10s|%-10s|%.3s|%q|%%", "text", "right", "left", "truncated", 'quo"te\n\0\r\\'))
print(string.format("%f|%.2f|%10.3f|%-10.1f|%+.0f|%e|%.3e|%E", 1/3, 2/3, math.pi, 1e5, 2.5, 12345.678, 0.00012, 1e-300))
print(string.format("%g|%.3g|%g|%g|%g|%.14g|%.17g|%.20g", 0.1, 1234567, 1e20, 1e-5, 100000, 0.1, 0.1, 0.1))
print(string.format("%a|%a|%A|%.2a|%a", 1, 0.1, 255.5, math.pi, -0.0))
print(string.format("%q|%q|%q|%q|%q", 1/3, 42, math.mininteger, math.huge, 0/0 ~= 0/0))
print(string.format("%g %g %g %g", math.huge, -math.huge, 0/0, -(0/0)))
print(1e15, 1e16, 1e100, 0.1, 1/3, -0.0, 100, 100.0, 2^53, 2^63, 123456789012.5, 5e-324, 3.14159265358979)
print(pcall(string.format, "%d", 1.5))
print(pcall(string.format, "%y", 1))
print(pcall(string.rep, "x", -1))

local packed = string.pack("<i4 >I2 z s1 d b", -2, 513, "zero", "short", 0.5, -128)
print(#packed, packed:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
print(string.unpack("<i4 >I2 z s1 d b", packed))
print(string.packsize("<i8 i4 !8 d"), pcall(string.pack, "i1", 300))
print(string.unpack("<f", string.pack("<f", 0.1)), string.unpack("<j", string.pack("<j", math.maxinteger)))
print(tostring(nil), tostring(true), tostring(12), tostring(-1.5), tonumber("0x10"), tonumber("  12  "), tonumber("1e2"), tonumber("z", 36),
  tonumber("8", 8), tonumber("abc"), tonumber("0x.8p1"), tonumber("1 2"), tonumber(""), math.type(tonumber("3.0")))
print(#("x"):rep(10000), ("ab"):rep(1000):find("ba", 1500), ("a"):rep(100):match(("a?"):rep(20) .. ("a"):rep(20)) ~= nil)
print(("one two  three"):gsub("%s+", " "), ("x^2"):gsub("%^", "**"), ("[test]"):gsub("[%[%]]", ""))
