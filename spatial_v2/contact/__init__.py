"""Ground contact: contact points on bodies, and forces of a compliant ground with friction."""

from spatial_v2.contact.gcFD import gcFD
from spatial_v2.contact.gcontact import ContactForces, gcontact
from spatial_v2.contact.gcPosVel import PointMotion, gcPosVel
from spatial_v2.contact.ground import Ground

__all__ = ["ContactForces", "Ground", "PointMotion", "gcFD", "gcPosVel", "gcontact"]
