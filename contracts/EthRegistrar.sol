// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

interface IRegistry {
    function setSubnodeOwner(bytes32 node, bytes32 label, address owner) external returns (bytes32);
}

/// Owns a top-level ENS name and lends the names below it for a time, in the manner of ENS's BaseRegistrar: a name is an
/// ERC-721 token whose id is its label's hash; it ends at `nameExpires` and is free again after a grace of 90 days.
contract EthRegistrar {
    uint256 public constant GRACE_PERIOD = 90 days;
    IRegistry public immutable ens;
    bytes32 public immutable baseNode;
    address public immutable controller;
    mapping(uint256 => uint256) public nameExpires;
    mapping(uint256 => address) private holders;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event NameRegistered(uint256 indexed id, address indexed owner, uint256 expires);
    event NameRenewed(uint256 indexed id, uint256 expires);

    constructor(IRegistry ens_, bytes32 baseNode_) {
        ens = ens_;
        baseNode = baseNode_;
        controller = msg.sender;
    }

    modifier onlyController() {
        require(msg.sender == controller, "EthRegistrar: caller is not the controller");
        _;
    }

    function available(uint256 id) public view returns (bool) {
        return nameExpires[id] + GRACE_PERIOD < block.timestamp;
    }

    function ownerOf(uint256 id) external view returns (address) {
        require(nameExpires[id] > block.timestamp, "EthRegistrar: expired");
        return holders[id];
    }

    function register(uint256 id, address owner, uint256 duration) external onlyController returns (uint256 expires) {
        require(available(id), "EthRegistrar: taken");
        expires = block.timestamp + duration;
        emit Transfer(holders[id], owner, id);
        nameExpires[id] = expires;
        holders[id] = owner;
        ens.setSubnodeOwner(baseNode, bytes32(id), owner);
        emit NameRegistered(id, owner, expires);
    }

    function renew(uint256 id, uint256 duration) external onlyController returns (uint256 expires) {
        require(nameExpires[id] + GRACE_PERIOD >= block.timestamp, "EthRegistrar: lapsed");
        expires = nameExpires[id] + duration;
        nameExpires[id] = expires;
        emit NameRenewed(id, expires);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }
}
