-- Dies of an error in nested calls: the message and the traceback go to standard error.
local function innermost(value) return value.field.missing end
local function middle(list) for _, item in ipairs(list) do innermost(item) end end
local object = { method = function(self, list) middle(list); return self end }
print("before", arg[1], arg[2], #arg)
object:method { { field = {} }, {} }
print("never")
