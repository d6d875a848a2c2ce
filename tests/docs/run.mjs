// Runs the commands of the documentation and compares what they print with what it says.
//
//   node run.mjs SOURCE BUILD [DOCUMENT...]
//
// Every document gets an empty directory, in which `./norn`, `examples` and `build/release` are what they are at the top
// of a checkout. Of its code blocks,
//
//   ```cpp queue.cpp      a block whose language is followed by a name is written to that file;
//   ```console            what follows `$ ` is run by bash, one command after the other, and the lines below it are what
//                         it must print. `...` alone on a line stands for any lines, at the end of one for the rest of
//                         it, and numbers that differ from run to run (times, rates) for any number;
//   ```sh                 is run as well, and must not fail.
//
// A comment `<!-- not run: why -->` before a block excepts it. Files that a document talks about without showing them are
// in tests/docs/files/DOCUMENT/, with a prepare.sh for what has to be made of them.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [source, build, ...chosen] = process.argv.slice(2);

function documents() {
  const inDocs = fs.readdirSync(path.join(source, 'docs'), { recursive: true });
  const all = ['README.md', 'CONTRIBUTING.md', ...inDocs.map(name => path.join('docs', name))];
  return all.filter(name => name.endsWith('.md')).sort();
}

/// [{language, name, lines, line, notRun}]
function blocksOf(text) {
  const blocks = [];
  let block = null;
  let notRun = false;
  text.split('\n').forEach((line, index) => {
    const fence = line.match(/^```(\S*)\s*(\S*)/);
    if (fence && !block) {
      block = { language: fence[1], name: fence[2], lines: [], line: index + 1, notRun };
    } else if (fence) {
      blocks.push(block);
      block = null;
    } else if (block) {
      block.lines.push(line);
    }
    if (line.trim() !== '' && !block) notRun = /^<!-- not run: .+ -->$/.test(line.trim());
  });
  return blocks;
}

/// [{command, expected, line}]: of a transcript, or one for each line of a script.
function stepsOf(block) {
  const steps = [];
  const isTranscript = block.language === 'console';
  block.lines.forEach((line, index) => {
    const last = steps.at(-1);
    const continues = last && last.expected.length === 0 && last.command.endsWith('\\');
    if (isTranscript && !line.startsWith('$ ') && !continues) {
      last?.expected.push(line);
    } else if (continues) {
      last.command += `\n${line}`;
    } else if (isTranscript || line.trim() !== '') {
      const command = isTranscript ? line.slice(2) : line;
      if (!command.startsWith('#')) steps.push({ command, expected: [], line: block.line + 1 + index, isTranscript });
    }
  });
  return steps;
}

/// What differs from run to run is replaced by a word.
function plain(line) {
  return line
    .replace(/\x1b\[[0-9;]*m/g, '')
    .replace(/\d+(\.\d+)? s\b/g, '<time>')
    .replace(/\d+ executions\/s/g, '<rate>')
    .trimEnd();
}

const isGap = line => /^\s*(\.\.\.|\[\.\.\..*\])$/.test(line);

function same(printed, expected) {
  const [line, wanted] = [plain(printed), plain(expected)];
  return wanted.endsWith('...') ? line.startsWith(wanted.slice(0, -3)) : line === wanted;
}

/// Whether the lines printed are those expected; gaps stand for any number of lines.
function matches(printed, expected) {
  if (expected.length === 0) return printed.length === 0;
  if (isGap(expected[0])) {
    for (let i = 0; i <= printed.length; ++i) if (matches(printed.slice(i), expected.slice(1))) return true;
    return false;
  }
  return printed.length > 0 && same(printed[0], expected[0]) && matches(printed.slice(1), expected.slice(1));
}

/// Directories of a checkout, as far as documents use them.
function prepare(document) {
  // The same every time: compiled programs are cached for the directory that they were compiled in.
  const directory = path.join(build, 'docs-tests', document.replace(/\.md$/, ''));
  fs.rmSync(directory, { recursive: true, force: true });
  fs.mkdirSync(path.join(directory, 'build'), { recursive: true });
  fs.symlinkSync(build, path.join(directory, 'build/release'));
  fs.symlinkSync(path.join(build, 'bin/norn'), path.join(directory, 'norn'));
  for (const name of ['examples', 'bench', 'tests']) fs.symlinkSync(path.join(source, name), path.join(directory, name));
  const files = path.join(source, 'tests/docs/files', document.replace(/\.md$/, ''));
  if (fs.existsSync(files)) fs.cpSync(files, directory, { recursive: true });
  return directory;
}

const quoted = text => `'${text.replaceAll("'", `'\\''`)}'`;

/// One shell for all of them: what one command sets (`$?`, the directory) the next one sees.
function run(steps, directory) {
  const results = fs.mkdtempSync(path.join(os.tmpdir(), 'norn-docs-results-'));
  const lines = steps.map((step, i) =>
    `(exit $last); eval ${quoted(step.command)} >${results}/${i}.out 2>&1 </dev/null; last=$?; echo $last >${results}/${i}.code`);
  const environment = {
    ...process.env,
    PATH: `${path.join(build, 'bin')}:${process.env.PATH}`,
    HOME: directory,
    NORN_CACHE: path.join(build, 'program-cache'),
  };
  for (const name of ['GITHUB_ACTIONS', 'NORN_BIN']) delete environment[name];
  const script = `last=0\n${lines.join('\n')}`;
  // With all that it started.
  spawnSync('timeout', ['--kill-after=5', '240', 'bash', '-c', script], { cwd: directory, env: environment });
  const read = name => fs.readFileSync(path.join(results, name), 'utf8');
  const done = steps.map((step, i) =>
    fs.existsSync(path.join(results, `${i}.code`))
      ? { code: Number(read(`${i}.code`)), printed: read(`${i}.out`).replace(/\n$/, '') }
      : { code: -1, printed: 'it did not end in time' });
  fs.rmSync(results, { recursive: true });
  return done;
}

/// Commands of Norn may find something (1) or not get to the end (3).
function fails(step, { code, printed }) {
  const lines = printed === '' ? [] : printed.split('\n');
  const isNorn = /(^|[\/ ;&])norn /.test(step.command);
  if (step.isTranscript && step.expected.length > 0) return code === 4 || code < 0 || code > 125 || !matches(lines, step.expected);
  return code !== 0 && !(isNorn && (code === 1 || code === 3));
}

/// Links to files that are not there.
function deadLinks(document, text) {
  const prose = text.replace(/^```[^]*?^```/gm, '');
  const targets = [...prose.matchAll(/\]\(([^)#\s]+)/g)].map(match => match[1]).filter(target => !target.includes(':'));
  return targets.filter(target => !fs.existsSync(path.join(source, path.dirname(document), target)));
}

function check(document) {
  const text = fs.readFileSync(path.join(source, document), 'utf8');
  const blocks = blocksOf(text);
  const directory = prepare(document);
  const steps = [];
  if (fs.existsSync(path.join(directory, 'prepare.sh'))) steps.push({ command: 'bash -e prepare.sh', expected: [], line: 0 });
  for (const block of blocks.filter(block => !block.notRun)) {
    if (block.name !== '') {
      const file = path.join(directory, block.name);
      steps.push({ command: `mkdir -p ${quoted(path.dirname(file))} && cp ${quoted(`${file}.block${block.line}`)} ${quoted(file)}`, expected: [], line: block.line });
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(`${file}.block${block.line}`, block.lines.join('\n') + '\n');
    }
    if (block.language === 'console' || block.language === 'sh') steps.push(...stepsOf(block));
  }
  const results = run(steps, directory);
  const dead = deadLinks(document, text);
  for (const target of dead) console.log(`${document}: there is no ${target}`);
  let failures = dead.length;
  steps.forEach((step, i) => {
    if (!fails(step, results[i])) return;
    ++failures;
    console.log(`${document}:${step.line}: ${step.command}\nexit code ${results[i].code}, and it printed\n${results[i].printed}\n`);
  });
  fs.rmSync(directory, { recursive: true });
  console.log(`${document}: ${steps.length} commands and files, ${failures} failed, ${blocks.filter(block => block.notRun).length} blocks not run`);
  return failures;
}

let failures = 0;
for (const document of chosen.length > 0 ? chosen : documents()) failures += check(document);
process.exit(failures === 0 ? 0 : 1);
