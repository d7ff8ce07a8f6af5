/**
 * Arithmetic that gives Python's numbers.
 *
 * A browser's Math.exp and Math.log differ from those of Python's libm in the last bit for one argument in twelve. Nobody sees
 * that in a score, but two candidates that tie in Python would no longer tie here. So both are computed to about 30 digits
 * and rounded once. A number with its rounding error is a pair [high, low], whose value is high + low.
 */

const SPLITTER = 2 ** 27 + 1; // cuts a double into two halves whose products are exact
const LN2 = [0.6931471805599453, 2.3190468138462996e-17];
const HALVINGS = 8;
const TERMS = 9;
const LARGEST_EXPONENT = 600; // beyond, the scaling by 2 ** k would leave the normal numbers

function sumPair(a, b) {
  const sum = a + b;
  const part = sum - a;
  return [sum, a - (sum - part) + (b - part)];
}

function productPair(a, b) {
  const product = a * b;
  const cutA = SPLITTER * a;
  const highA = cutA - (cutA - a);
  const lowA = a - highA;
  const cutB = SPLITTER * b;
  const highB = cutB - (cutB - b);
  const lowB = b - highB;
  return [product, highA * highB - product + highA * lowB + lowA * highB + lowA * lowB];
}

function add(a, b) {
  const [sum, error] = sumPair(a[0], b[0]);
  return sumPair(sum, error + a[1] + b[1]);
}

function multiply(a, b) {
  const [product, error] = productPair(a[0], b[0]);
  return sumPair(product, error + (a[0] * b[1] + a[1] * b[0]));
}

function reciprocal(n) {
  const high = 1 / n;
  const [product, error] = productPair(high, n);
  return [high, (1 - product - error) / n];
}

const ONE = [1, 0];
const RECIPROCALS = Array.from({ length: TERMS + 1 }, (_, n) => (n === 0 ? ONE : reciprocal(n)));

/** e ** x as [pair, k], meaning pair * 2 ** k: the series for a small part of x, squared back up. */
function expPair(x) {
  const k = Math.round(x / LN2[0]);
  const rest = add([x, 0], multiply(LN2, [-k, 0]));
  const small = [rest[0] / 2 ** HALVINGS, rest[1] / 2 ** HALVINGS];
  let series = ONE;
  for (let n = TERMS; n >= 2; n -= 1) series = add(ONE, multiply(multiply(small, RECIPROCALS[n]), series));
  let grown = multiply(small, series); // e ** small - 1: kept without the 1, which would cost its last digits
  for (let n = 0; n < HALVINGS; n += 1) grown = add([2 * grown[0], 2 * grown[1]], multiply(grown, grown));
  return [add(ONE, grown), k];
}

/** e ** x, rounded once. */
export function exp(x) {
  if (!(Math.abs(x) < LARGEST_EXPONENT)) return Math.exp(x);
  const [pair, k] = expPair(x);
  return pair[0] * 2 ** k;
}

/** The natural logarithm, rounded once: the browser's own value, put right by one step of Newton's method. */
export function log(x) {
  const near = Math.log(x);
  if (!(Math.abs(near) < LARGEST_EXPONENT)) return near;
  const [pair, k] = expPair(near);
  return near + add([x / 2 ** k, 0], [-pair[0], -pair[1]])[0] / pair[0];
}

/** The sum as if there were no rounding until the end, like Python's math.fsum: the order of the numbers does not matter. */
export function exactSum(numbers) {
  let parts = [];
  for (const number of numbers) {
    const kept = [];
    let carried = number;
    for (const part of parts) {
      const [sum, error] = sumPair(carried, part);
      if (error !== 0) kept.push(error);
      carried = sum;
    }
    kept.push(carried);
    parts = kept;
  }
  return rounded(parts);
}

/** The sum of parts that do not overlap, least first; half-way cases look at what lies below, as a single rounding would. */
function rounded(parts) {
  let place = parts.length - 1;
  if (place < 0) return 0;
  let sum = parts[place];
  let error = 0;
  while (place > 0 && error === 0) {
    place -= 1;
    [sum, error] = sumPair(sum, parts[place]);
  }
  const below = place > 0 ? parts[place - 1] : 0;
  if (error * below > 0) {
    const doubled = 2 * error;
    const up = sum + doubled;
    if (up - sum === doubled) return up;
  }
  return sum;
}
