// A minimal standalone Lua: runs the script named first with the rest as `arg`; errors with a traceback on standard error.
#include <stdio.h>
#include <stdlib.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

static int with_traceback(lua_State *state) {
    const char *message = lua_tostring(state, 1);
    if (message == NULL) {
        if (luaL_callmeta(state, 1, "__tostring") && lua_type(state, -1) == LUA_TSTRING)
            return 1;
        message = lua_pushfstring(state, "(error object is a %s value)", luaL_typename(state, 1));
    }
    luaL_traceback(state, state, message, 1);
    return 1;
}

static void set_arguments(lua_State *state, int argc, char **argv) {
    lua_createtable(state, argc, 0);
    for (int index = 1; index < argc; index++) {
        lua_pushstring(state, argv[index]);
        lua_rawseti(state, -2, index - 1);
    }
    lua_setglobal(state, "arg");
}

/* Messages call it "script", so that they do not depend on where it lies. */
static int load_script(lua_State *state, const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        lua_pushfstring(state, "cannot open the script");
        return LUA_ERRFILE;
    }
    luaL_Buffer text;
    luaL_buffinit(state, &text);
    size_t got;
    do {
        char *space = luaL_prepbuffer(&text);
        got = fread(space, 1, LUAL_BUFFERSIZE, file);
        luaL_addsize(&text, got);
    } while (got > 0);
    fclose(file);
    luaL_pushresult(&text);
    size_t length;
    const char *source = lua_tolstring(state, -1, &length);
    int status = luaL_loadbuffer(state, source, length, "=script");
    lua_remove(state, -2);
    return status;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: lua SCRIPT [ARGUMENTS]\n");
        return 2;
    }
    lua_State *state = luaL_newstate();
    if (state == NULL)
        return 3;
    luaL_openlibs(state);
    set_arguments(state, argc, argv);
    lua_pushcfunction(state, with_traceback);
    int status = load_script(state, argv[1]);
    if (status == LUA_OK)
        status = lua_pcall(state, 0, 0, -2);
    if (status != LUA_OK)
        fprintf(stderr, "lua: %s\n", lua_tostring(state, -1));
    lua_close(state);
    return status == LUA_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
