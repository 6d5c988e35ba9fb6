from __future__ import annotations

from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.gate import (
    Arm,
    Baseline,
    BoundRule,
    CompareRule,
    Margin,
    Rule,
    compare,
    compare_arms,
    effect_of,
    format_number,
    judge,
    metric_names,
    parse_rule,
)
from pytest_codecollapse.model import (
    CompareSettings,
    Environment,
    Identity,
    Partition,
    ProblemReport,
    Report,
    Settings,
)

numbers = st.fractions(0, 1000, max_denominator=10**6)
values = st.fractions(0, 10, max_denominator=24)
metrics = st.lists(st.integers(1, 10**9 - 1), min_size=1, max_size=3).flatmap(
    lambda ks: st.sampled_from(metric_names(ks))
)
bound_rules = st.builds(
    BoundRule,
    metric=metrics,
    op=st.sampled_from([">=", "<="]),
    bound=numbers,
    every=st.booleans(),
)
compare_rules = st.builds(
    CompareRule,
    metric=metrics,
    direction=st.sampled_from(["drop", "rise"]),
    margin=st.none() | st.builds(Margin, amount=numbers, percent=st.booleans()),
    wanted=st.booleans(),
)
value_pairs = st.lists(st.tuples(values, values), min_size=1, max_size=6)


def report(values: list[Fraction], metric: str = "chao1") -> Report:
    """Build a report of problems p0, p1, … with these values of a metric and nothing else."""
    partition = Partition(
        classes=(),
        ast_classes=(),
        nondeterministic=(),
        order_dependent=(),
        stability_curve=(),
        correct_curve=(),
    )
    return Report(
        tool_version="0.1.0",
        environment=Environment(python="3.11.7", platform="Linux", isolation="process"),
        settings=Settings(),
        problems=tuple(
            ProblemReport(
                problem_id=f"p{index}",
                identity=Identity(whole="0", parts={}),
                partition=partition,
                statistics={metric: value},
            )
            for index, value in enumerate(values)
        ),
        unmeasured=(),
        mean={metric: sum(values, Fraction(0)) / len(values)},
    )


def status(rule: Rule, pairs: list[tuple[Fraction, Fraction]]) -> str:
    """Judge a rule on problems with these values before and after."""
    before, after = (report([pair[side] for pair in pairs]) for side in (0, 1))
    settings = CompareSettings(resamples=50, interval="percentile")
    baseline = Baseline(report=before, comparison=compare(before, after, settings))
    return judge([rule], after, baseline=baseline)[0].status


@given(bound_rules | compare_rules)
def test_a_rule_is_read_back_from_its_text(rule: BoundRule | CompareRule) -> None:
    """Parsing the text of a rule gives an equal rule."""
    assert parse_rule(str(rule)) == rule


@given(st.text() | st.text("EDWA[_]@5 >=<%./mustnodropiseby", max_size=30))
def test_any_line_is_a_rule_or_a_usage_error(text: str) -> None:
    """Reading a line gives a rule that reads back, or a usage error that holds the line."""
    try:
        answer = str(parse_rule(text))
    except UsageError as error:
        answer = str(error)
    assert answer.startswith(f"gate {text!r} ") or str(parse_rule(answer)) == answer


@given(value_pairs, numbers, numbers, st.booleans())
def test_a_lower_floor_never_fails_where_a_higher_one_passes(
    pairs: list[tuple[Fraction, Fraction]], a: Fraction, b: Fraction, every: bool
) -> None:
    """What passes a floor passes every lower one, and likewise ceilings and higher ones."""
    low, high = sorted((a, b))
    floor = [BoundRule(metric="chao1", op=">=", bound=x, every=every) for x in (high, low)]
    ceiling = [BoundRule(metric="chao1", op="<=", bound=x, every=every) for x in (low, high)]
    for strict, lax in (floor, ceiling):
        assert status(strict, pairs) == "fail" or status(lax, pairs) == "pass"


@given(value_pairs, numbers, numbers, st.booleans(), st.sampled_from(["drop", "rise"]))
def test_a_wider_margin_is_never_stricter(
    pairs: list[tuple[Fraction, Fraction]],
    a: Fraction,
    b: Fraction,
    percent: bool,
    direction: str,
) -> None:
    """From fail over inconclusive to pass, a wider margin only moves towards pass."""
    order = ["fail", "inconclusive", "pass"]
    narrow, wide = (
        parse_rule(f"chao1 must not {direction} by {Margin(amount=amount, percent=percent)}")
        for amount in sorted((a, b))
    )
    assert order.index(status(narrow, pairs)) <= order.index(status(wide, pairs))


@given(value_pairs, numbers, st.booleans(), st.sampled_from(["drop", "rise"]))
def test_what_must_be_is_the_reverse_of_what_must_not_be(
    pairs: list[tuple[Fraction, Fraction]], amount: Fraction, percent: bool, direction: str
) -> None:
    """With a margin, the one passes where the other fails, and none decides where none can."""
    by = f"{direction} by {Margin(amount=amount, percent=percent)}"
    reverse = {"pass": "fail", "fail": "pass", "inconclusive": "inconclusive"}
    wanted, forbidden = parse_rule(f"chao1 must {by}"), parse_rule(f"chao1 must not {by}")
    assert status(wanted, pairs) == reverse[status(forbidden, pairs)]


@given(value_pairs)
def test_a_rise_passes_only_where_no_drop_could_be(
    pairs: list[tuple[Fraction, Fraction]],
) -> None:
    """Must rise passes exactly where must not rise fails; then must not drop holds, too."""
    rise = status(parse_rule("chao1 must rise"), pairs)
    assert (rise == "pass") == (status(parse_rule("chao1 must not rise"), pairs) == "fail")
    assert rise != "pass" or status(parse_rule("chao1 must not drop"), pairs) == "pass"


@given(value_pairs)
def test_swapping_the_sides_mirrors_the_comparison(
    pairs: list[tuple[Fraction, Fraction]],
) -> None:
    """Before against after has the negated delta and the mirrored interval of the reverse."""
    before, after = (report([pair[side] for pair in pairs]) for side in (0, 1))
    settings = CompareSettings(resamples=100, interval="percentile")
    forth = compare(before, after, settings).metrics[0]
    back = compare(after, before, settings).metrics[0]
    assert isinstance(forth.delta, Fraction)
    assert back.delta == -forth.delta
    assert (back.before, back.after) == (forth.after, forth.before)
    if forth.interval is None:
        assert back.interval is None
    else:
        assert back.interval == (-forth.interval[1], -forth.interval[0])


@given(value_pairs)
def test_a_drop_one_way_is_a_rise_the_other(pairs: list[tuple[Fraction, Fraction]]) -> None:
    """Must not drop, before to after, gives the verdict of must not rise, after to before."""
    turned = [(after, before) for before, after in pairs]
    drop, rise = parse_rule("chao1 must not drop"), parse_rule("chao1 must not rise")
    assert status(drop, pairs) == status(rise, turned)


@given(st.fractions() | st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_written_to_within_its_last_digit(value: Fraction | float) -> None:
    """The text is a plain decimal, off by at most half a unit of its fourth digit."""
    text = format_number(value)
    assert "e" not in text.lower()
    assert abs(Fraction(text) - Fraction(value)) <= abs(Fraction(value)) * Fraction(5, 10**4)


@given(st.fractions(-10, 10), st.fractions(-10, 10))
def test_a_number_beside_a_threshold_is_on_its_side(value: Fraction, threshold: Fraction) -> None:
    """Text and value compare alike with the threshold, unless value and threshold are equal."""
    assume(value != threshold)
    text = Fraction(format_number(value, beside=threshold))
    assert text != threshold
    assert (text > threshold) == (value > threshold)


@given(value_pairs, st.integers(2, 5))
def test_more_arms_never_make_a_fix(pairs: list[tuple[Fraction, Fraction]], arms: int) -> None:
    """What fixes or harms among several arms does so alone; and a fix is a rise that passes."""
    control, arm = (report([pair[side] for pair in pairs], "pass@1") for side in (0, 1))
    rules = [parse_rule("pass@1 must rise")]
    settings = CompareSettings(resamples=50, interval="percentile")
    named = Arm(name="arm", report=arm)
    effects = []
    for count in (1, arms):
        trial = compare_arms(
            Arm(name="retry", report=control), [named] * count, settings, rules=rules
        )
        each = trial.interventions[0]
        effects.append(effect_of(each.comparison.metrics[0]))
        assert (effects[-1] == "fixes") == (each.verdicts[0].status == "pass")
    alone, among = effects
    assert among in (alone, "no evidence")
