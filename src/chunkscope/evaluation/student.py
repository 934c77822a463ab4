"""Student's t distribution, as far as intervals of small sets need it."""

import math
from statistics import NormalDist


def t_quantile(p: float, freedom: int) -> float:
    """Student's t quantile: exact for 1 and 2 degrees of freedom, else Hill's expansion.

    G. W. Hill, "Algorithm 396: Student's t-quantiles", CACM 13 (1970).
    """
    tail = 2 * (1 - p)
    if freedom == 1:
        return 1 / math.tan(tail * math.pi / 2)
    if freedom == 2:
        return math.sqrt(2 / (tail * (2 - tail)) - 2)
    a = 1 / (freedom - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * math.sqrt(a * math.pi / 2) * freedom
    y = (d * tail) ** (2 / freedom)
    if y > 0.05 + a:
        x = NormalDist().inv_cdf(tail / 2)
        y = x**2
        if freedom < 5:
            c += 0.3 * (freedom - 4.5) * (x + 0.6)
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = math.expm1(a * y**2)
    else:
        e = 1 / (((freedom + 6) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2) * 3)
        y = ((e + 0.5 / (freedom + 4)) * y - 1) * (freedom + 1) / (freedom + 2) + 1 / y
    return math.sqrt(freedom * y)
