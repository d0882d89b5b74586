#!/usr/bin/env node
'use strict';
// repute ARGS: starts the program under the pinned Node; the checkout runs its TypeScript, the package its build.
var path = require('path');
var fs = require('fs');
var source = path.join(__dirname, '..', 'src', 'main.ts');
var built = path.join(__dirname, '..', 'dist', 'main.js');
require('./node.cjs').runProgram(fs.existsSync(source) ? source : built, process.argv.slice(2));
